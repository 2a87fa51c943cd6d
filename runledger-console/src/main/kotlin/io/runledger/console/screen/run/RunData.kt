package io.runledger.console.screen.run

import io.runledger.console.page.headerList
import io.runledger.console.page.json
import io.runledger.console.visit.Visit
import io.runledger.model.workflow.WorkflowRun
import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** What a run carries: its context, metadata, headers and result. */
internal fun FlowContent.runData(visit: Visit, run: WorkflowRun) = div("columns") {
    fun whole(what: String) = visit.link("${runPath(run.id())}/json/$what")
    section {
        h2 { +"Result" }
        if (run.resultStepKey() == null) {
            p("empty") { +"The workflow declares no result." }
        } else {
            json(visit, run.result(), whole("result"))
        }
    }
    section {
        h2 { +"Context" }
        p("note") { +"Set at the start, extended by steps that succeed." }
        json(visit, run.context(), whole("context"))
    }
    section {
        h2 { +"Metadata" }
        json(visit, run.metadata(), whole("metadata"))
    }
    section {
        h2 { +"Headers" }
        headerList(visit, run.headers())
    }
}
