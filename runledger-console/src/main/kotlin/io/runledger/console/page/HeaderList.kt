package io.runledger.console.page

import io.runledger.console.content.Redaction
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.p

/** Headers of a job, run or schedule, without the values that are hidden. */
internal fun FlowContent.headerList(visit: Visit, headers: Map<String, String>) {
    if (headers.isEmpty()) {
        p("empty") { +"None." }
        return
    }
    val redaction = visit.ledgers.json.redaction
    facts {
        headers.toSortedMap().forEach { (name, value) -> fact(name, if (redaction.hides(name)) Redaction.SIGN else value) }
    }
}
