package io.runledger.console.screen.schedule

import io.runledger.console.content.inWords
import io.runledger.console.page.exactly
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.section
import kotlinx.html.span
import java.time.Instant

/** What became of the instants of a schedule, and what operators did with it, newest first. */
internal fun FlowContent.fireHistory(visit: Visit, schedule: Schedule) = section {
    h2 { +"History" }
    val name = schedule.name()
    val after = visit.query["after"]
    val fires = visit.snapshot("schedule fires $after $name") { visit.reads.schedules.fires(visit.scope, name, PAGE, after) }
    val now = Instant.now()
    listing("History of the schedule, newest first", fires.items(), "It has not fired yet.") {
        column("For") { exactly(it.scheduledFor()) }
        column("Outcome") { outcome(it) }
        column("Created") { created(visit, it.jobId(), it.runId()) }
        column("Late by") { lateness(it) }
        column("By") { +it.cause().actor() }
        column("Decided") {
            moment(it.firedAt(), now)
            if (it.times() > 1) +", ${it.times()} times"
        }
        column("Why") { why(it) }
    }
    pager(visit, fires)
}

private fun FireCause.actor(): String = when (this) {
    FireCause.CLOCK -> "the clock"
    FireCause.OPERATOR -> "an operator"
    FireCause.BACKFILL -> "a backfill"
}

private fun FlowContent.outcome(fire: ScheduleFire) {
    state(fire.outcome())
    if (fire.caughtUp()) {
        +" "
        span("note") { +"made up for" }
    }
    if (fire.outcome() == FireOutcome.SKIPPED_MISFIRE) div("note") { +"missed" }
}

private fun FlowContent.lateness(fire: ScheduleFire) {
    if (fire.cause() != FireCause.CLOCK || fire.lateness().isZero) return
    val isLate = fire.lateness() > ScheduleFire.GRACE
    span(if (isLate) "bad-count" else null) { +fire.lateness().inWords() }
}

private fun FlowContent.why(fire: ScheduleFire) {
    mono(fire.errorCode())
    fire.reason()?.let {
        +" "
        ledgerText(it)
    }
    if (fire.dedupKey().isNotEmpty() && fire.cause() == FireCause.CLOCK) {
        +" key "
        mono(fire.dedupKey())
    }
}

private const val PAGE = 50
