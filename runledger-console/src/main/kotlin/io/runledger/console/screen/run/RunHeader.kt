package io.runledger.console.screen.run

import io.runledger.console.content.from
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.page.share
import io.runledger.console.page.state
import io.runledger.console.screen.audit.byOperator
import io.runledger.console.visit.Visit
import io.runledger.model.history.WorkflowLineage
import io.runledger.model.history.WorkflowRecovery
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul
import java.time.Duration
import java.time.Instant

/** Where a run stands. */
internal fun FlowContent.runHeader(visit: Visit, reads: RunReads) = section {
    val run = reads.run()
    val now = Instant.now()
    run.pausedAt()?.let { pause(visit, reads, it, now) }
    facts {
        fact("State") { state(run.status()) }
        fact("Reason", run.statusReason())
        fact("Steps ended") { steps(visit, run, reads.stepCounts()) }
        fact("Run") { mono(run.id().toString()) }
        fact("Type") { a(href = visit.link("/runs", "type" to run.workflowType())) { mono(run.workflowType()) } }
        run.idempotencyKey()?.let { key -> fact("Idempotency key") { mono(key) } }
        if (visit.scope.kind() == Scope.Kind.EVERYTHING) fact("Organization") { organization(run.organizationId()) }
        fact("Started") { exactly(run.startedAt()) }
        run.finishedAt()?.let { end -> fact("Finished") { exactly(end) } }
        fact("Took", Duration.between(run.startedAt(), run.finishedAt() ?: now).coerceAtLeast(Duration.ZERO).inWords())
        run.resultStepKey()?.let { key ->
            fact("Result of") { a(href = visit.link(stepPath(run.id(), key))) { ledgerText(key) } }
        }
    }
    lineage(visit, reads.lineage())
}

private fun FlowContent.pause(visit: Visit, reads: RunReads, since: Instant, now: Instant) = p("paused") {
    span("state state-paused") { +"paused" }
    +" Since ${since.from(now)}"
    byOperator(visit, reads.operators().actionAt(since, null, OperatorActionKind.WORKFLOW_PAUSE))
    +". No step starts until the run is resumed."
    reads.run().pauseReason()?.let {
        +" Reason: "
        ledgerText(it)
    }
}

private fun FlowContent.steps(visit: Visit, run: WorkflowRun, counts: Map<WorkflowStepStatus, Long>) {
    val all = counts.values.sum()
    val ended = counts.filterKeys { it.isTerminal }.values.sum()
    share(ended, all, "${ended.grouped()} of ${all.grouped()}")
    span("note") {
        counts.entries.sortedBy { it.key }.forEachIndexed { place, (status, count) ->
            if (place > 0) +", "
            a(href = visit.link(runPath(run.id()), "view" to "steps")) { +"${count.grouped()} ${status.inWords()}" }
        }
    }
}

private fun FlowContent.lineage(visit: Visit, lineage: WorkflowLineage) {
    lineage.recoveredFrom()?.let { origin ->
        p {
            +"Repeats the run "
            idLink(visit, "/runs", origin.sourceRunId())
            told(origin)
        }
    }
    if (lineage.recoveries().isEmpty()) return
    p { +"Repeated by:" }
    ul("lines") {
        lineage.recoveries().takeLast(RECOVERIES).forEach { recovery ->
            li {
                idLink(visit, "/runs", recovery.recoveryRunId())
                told(recovery)
            }
        }
    }
}

private fun FlowContent.told(recovery: WorkflowRecovery) {
    +" "
    moment(recovery.createdAt())
    +": "
    ledgerText(recovery.reason())
}

private const val RECOVERIES = 20
