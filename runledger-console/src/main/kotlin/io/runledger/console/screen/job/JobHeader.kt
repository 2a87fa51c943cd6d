package io.runledger.console.screen.job

import io.runledger.console.content.inWords
import io.runledger.console.page.facts
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.Job
import io.runledger.model.job.Progress
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import kotlinx.html.progress
import kotlinx.html.section
import kotlinx.html.span
import java.time.Duration
import java.time.Instant

/** The state of the job and the facts beside it. */
internal fun FlowContent.header(visit: Visit, view: JobView, now: Instant) = section("head") {
    val job = view.job
    p("line") {
        state(job.status())
        +" "
        ledgerText(job.id().toString(), "mono whole")
    }
    progress(job.progress())
    facts {
        fact("Type") { a(href = visit.link("/jobs", "type" to job.jobType())) { mono(job.jobType()) } }
        fact("Organization") { job.organizationId()?.let { mono(it.toString()) } ?: span("none") { +"global" } }
        fact("Reason of the state", job.statusReason()?.takeIf { reason -> AttemptOutcome.entries.none { it.wire() == reason } })
        fact("Attempt", attempt(job))
        if (job.runNumber() > 1) fact("Run number", job.runNumber().toString())
        fact("Priority", job.priority().toString())
        fact("Stage", job.stage().inWords())
        fact("Timeout of an attempt", job.timeout().inWords())
        fact("Created") { moment(job.createdAt(), now) }
        if (!job.isTerminal) fact("Due") { moment(job.nextRunAt(), now) }
        job.startedAt()?.let { fact("First claim") { moment(it, now) } }
        job.finishedAt()?.let { fact("Ended") { moment(it, now) } }
        took(job)?.let { fact("Took", it.inWords()) }
        job.openAttempt()?.let { open ->
            fact("Worker") { mono(open.lease().workerId()) }
            fact("Lease until") { moment(open.leaseExpiresAt(), now) }
        }
        job.idempotencyKey()?.let { key ->
            fact("Idempotency key") { a(href = visit.link("/jobs", "key" to key)) { mono(key) } }
        }
    }
}

private fun took(job: Job): Duration? {
    val started = job.startedAt() ?: return null
    return job.finishedAt()?.let { Duration.between(started, it) }
}

private fun attempt(job: Job): String {
    val interruptions = if (job.interruptions() > 0) ", ${job.interruptions()} released without counting" else ""
    return "${job.attempt()} of ${job.maxAttempts() + job.interruptions()}$interruptions"
}

private fun FlowContent.progress(progress: Progress) {
    val done = progress.done() ?: return
    val total = progress.total()
    p("progress") {
        if (total != null && total > 0) {
            progress {
                attributes["value"] = done.toString()
                attributes["max"] = total.toString()
                attributes["aria-label"] = "Progress"
            }
            +" $done of $total (${progress.percent()} %)"
        } else {
            +"$done done"
        }
    }
}
