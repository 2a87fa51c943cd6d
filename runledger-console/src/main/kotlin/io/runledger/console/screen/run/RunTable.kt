package io.runledger.console.screen.run

import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.page.share
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.run.WorkflowSummary
import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.span
import java.time.Duration
import java.time.Instant

/** A page of runs as a table. */
internal fun FlowContent.runTable(visit: Visit, page: RunPage) {
    val now = Instant.now()
    listing("Workflow runs, newest first", page.runs.items(), "No run matches.") {
        column("Run") { idLink(visit, "/runs", it.id()) }
        column("Type") { mono(it.workflowType()) }
        column("State") { runState(it) }
        column("Steps ended") { stepsEnded(it, page.steps[it.id()]) }
        number("Failed") { if (it.errorSteps() > 0) span("bad-count") { +it.errorSteps().toLong().grouped() } else +"0" }
        number("Open gates") { +it.waitingSteps().toLong().grouped() }
        column("Started") { moment(it.startedAt(), now) }
        column("Took") { +Duration.between(it.startedAt(), it.finishedAt() ?: now).coerceAtLeast(Duration.ZERO).inWords() }
        column("Key") { mono(it.idempotencyKey()) }
        organization(visit) { it.organizationId() }
    }
}

private fun FlowContent.runState(run: WorkflowSummary) {
    state(run.status())
    if (run.isPaused) {
        +" "
        span("state state-paused") { +"paused" }
    }
    (run.pauseReason() ?: run.statusReason())?.let { div("note") { ledgerText(it) } }
}

/** The count of steps stops somewhere; then only the open ones are told. */
private fun FlowContent.stepsEnded(run: WorkflowSummary, steps: Long?) {
    val open = run.openSteps().toLong()
    when {
        steps == null -> Unit

        steps >= COUNTED -> +"${open.grouped()} open of ${COUNTED.grouped()} or more"

        else -> share(
            (steps - open).coerceAtLeast(0),
            steps,
            "${(steps - open).coerceAtLeast(0).grouped()} of ${steps.grouped()}",
        )
    }
}

private const val COUNTED = 1_000L
