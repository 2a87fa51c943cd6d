package io.runledger.console.screen.flow

import kotlinx.html.FlowContent
import kotlinx.html.code
import kotlinx.html.p
import kotlinx.html.pre

/** Says how code makes the first row of a list. The documentation is not part of the console, so it is only named. */
internal fun FlowContent.howToDeclare(sentence: String, kotlin: String, java: String) {
    p { +sentence }
    pre("json") {
        attributes["tabindex"] = "0"
        attributes["aria-label"] = "Examples in Kotlin and Java"
        attributes["role"] = "region"
        code { +"// Kotlin\n$kotlin\n\n// Java\n$java" }
    }
    p("note") { +"The page docs/flow-control.md of Runledger's documentation explains limits, orders, shares and queues." }
}
