package io.runledger.micrometer

import java.util.concurrent.ConcurrentHashMap

/** The values of a tag: those [known], the first [most] others, and [OTHER] for the rest. */
internal class BoundedTags(private val most: Int, private val known: Set<String> = emptySet()) {
    private val taken = ConcurrentHashMap.newKeySet<String>()

    fun of(value: String): String = if (value in known || value in taken || take(value)) value else OTHER

    @Synchronized
    private fun take(value: String): Boolean = value in taken || (taken.size < most && taken.add(value))

    companion object {
        const val OTHER = "other"
    }
}
