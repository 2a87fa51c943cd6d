package io.runledger.console.screen.run

import io.runledger.console.content.inWords
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import java.time.Duration
import java.time.Instant

/** The steps of a run, page by page, in the order of their declaration. */
internal fun FlowContent.stepTable(visit: Visit, reads: RunReads) {
    val after = visit.query["after"]
    val now = Instant.now()
    val page = visit.snapshot("run ${reads.id} steps $after") { visit.reads.workflows.steps(visit.scope, reads.id, PAGE, after) }
    listing("Steps in the order of declaration", page.items(), "There are no further steps.") {
        column("Step") { a(href = visit.link(stepPath(reads.id, it.stepKey()))) { ledgerText(it.stepKey()) } }
        column("State") { step ->
            state(step.status())
            (
                step.lastErrorCode() ?: step.statusReason()?.takeUnless {
                    it == step.status().name
                }
                )?.let { div("note") { ledgerText(it) } }
        }
        column("Runs") { step -> runs(visit, step) }
        column("Waits for") { step ->
            if (!step.isTerminal && step.pendingDependencies() > 0) +"${step.pendingDependencies()} of ${step.dependencies()}"
        }
        column("Released") { moment(it.releasedAt(), now) }
        column("Started") { moment(it.startedAt(), now) }
        column("Took") { step -> step.took(now)?.let { +it.inWords() } }
    }
    pager(visit, page)
}

private fun FlowContent.runs(visit: Visit, step: WorkflowStep) {
    if (step.kind() == StepKind.EXTERNAL) {
        +"gate"
        return
    }
    val job = step.job() ?: return
    mono(job.jobType())
    job.jobId()?.let { id ->
        +" "
        idLink(visit, "/jobs", id)
    }
}

/** From the start of its job, or the opening of its gate, to its end. */
internal fun WorkflowStep.took(now: Instant): Duration? {
    val start = (if (kind() == StepKind.EXTERNAL) releasedAt() else startedAt()) ?: return null
    return Duration.between(start, finishedAt() ?: now).coerceAtLeast(Duration.ZERO)
}

private const val PAGE = 50
