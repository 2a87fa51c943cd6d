package io.runledger.console.picture

import io.runledger.console.picture.graph.LayeredLayout
import io.runledger.console.picture.graph.Layout
import io.runledger.console.picture.graph.LayoutRequest

/**
 * Keeps the layouts of the last graphs, so that a page that shows a run again only draws it again. Runs of one workflow usually
 * share a layout, because it does not depend on states. Thread-safe; two threads that need the same new layout may both make
 * it.
 *
 * @param capacity number of layouts that are kept
 */
public class GraphLayouts @JvmOverloads public constructor(private val capacity: Int = DEFAULT_CAPACITY) {
    private val layouts = object : LinkedHashMap<LayoutRequest, Layout>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: MutableMap.MutableEntry<LayoutRequest, Layout>): Boolean = size > capacity
    }

    init {
        require(capacity >= 1) { "The capacity is $capacity: use 1 or more." }
    }

    internal fun of(request: LayoutRequest): Layout {
        synchronized(layouts) { layouts[request] }?.let { return it }
        val layout = LayeredLayout.place(request)
        synchronized(layouts) { layouts[request] = layout }
        return layout
    }

    private companion object {
        const val DEFAULT_CAPACITY = 64
    }
}
