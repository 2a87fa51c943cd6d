package io.runledger.console.page

import kotlinx.html.FlowContent
import kotlinx.html.progress
import kotlinx.html.span

/** How much of something is done, as a bar with its numbers. */
internal fun FlowContent.share(done: Long, all: Long, shown: String) = span("share") {
    progress {
        max = all.coerceAtLeast(1).toString()
        value = done.toString()
        attributes["aria-label"] = shown
    }
    span("share-count") { +shown }
}
