package io.runledger.console.screen.job

import io.runledger.console.content.inUtc
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.screen.flow.queuePath
import io.runledger.console.visit.Visit
import io.runledger.console.visit.seesFleet
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.Code
import io.runledger.model.job.JobStatus
import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.section
import kotlinx.html.span
import java.time.Instant
import java.time.format.DateTimeParseException
import java.util.UUID

/** All reasons for the state of the job, the most important first, each with the page on which it can be changed. */
internal fun FlowContent.why(visit: Visit, view: JobView, now: Instant) = section("why") {
    h2 { +title(view.job.status()) }
    ol("reasons") { view.reasons.forEach { li { reason(visit, view, it, now) } } }
}

private fun title(status: JobStatus): String = when (status) {
    JobStatus.PENDING -> "Why it is not running"
    JobStatus.LEASED -> "What it is doing"
    else -> "How it ended"
}

private fun LI.reason(visit: Visit, view: JobView, reason: JobReason, now: Instant) {
    ledgerText(readable(reason.sentence()))
    reason.at()?.let {
        +" "
        span("note") { moment(it, now) }
    }
    place(visit, view, reason.code(), reason.jobs().firstOrNull()?.id())?.let { (address, label) ->
        +" "
        a(href = address) { +label }
    }
}

/** The sentence with its instants as people write them. */
internal fun readable(sentence: String): String = INSTANT.replace(sentence) { found ->
    try {
        Instant.parse(found.value).inUtc()
    } catch (_: DateTimeParseException) {
        found.value
    }
}

private val INSTANT = Regex("""\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z""")

/** Where an operator can look further, or change the reason. */
private fun place(visit: Visit, view: JobView, code: Code, awaited: UUID?): Pair<String, String>? = when (code) {
    Code.RUN_PAUSED, Code.WORKFLOW_STEP -> view.story.lineage().step()?.let {
        visit.link("/runs/${it.runId()}") to "Open the run"
    }

    Code.TYPE_PAUSED, Code.TYPE_DISABLED ->
        (visit.link("/types/${Visit.encoded(view.job.jobType())}") to "Open the type").takeIf { visit.seesFleet }

    Code.NO_WORKER, Code.QUEUE_UNSERVED, Code.FLEET_DRAINED, Code.LEASE_EXPIRED ->
        (visit.link("/workers") to "Workers").takeIf { visit.seesFleet }

    Code.JOBS_AHEAD -> visit.link("/jobs", "status" to "PENDING", "type" to view.job.jobType()) to "Show waiting jobs"

    Code.ORDER_HELD, Code.LIMIT_REACHED -> awaited?.let { visit.link("/jobs/$it") to "Open the job" }

    Code.QUEUE_PAUSED ->
        view.job.flow().queue()?.let { visit.link(queuePath(it)) to "Open the queue" }.takeIf { visit.seesFleet }

    Code.ENDED, Code.RUNNING, Code.HELD, Code.TIMEOUT_IGNORED, Code.NOT_DUE, Code.READY, Code.LIMIT_PAUSED, Code.RATE_SPENT,
    Code.SHARES_TAKE_TURNS,
    -> null
}
