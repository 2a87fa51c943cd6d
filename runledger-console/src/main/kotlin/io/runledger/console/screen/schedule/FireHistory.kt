package io.runledger.console.screen.schedule

import io.runledger.console.content.inWords
import io.runledger.console.page.exactly
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.page.state
import io.runledger.console.screen.audit.Operators
import io.runledger.console.screen.audit.byOperator
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul
import java.time.Instant

/** What became of the instants of a schedule, and what operators did with it, newest first. */
internal fun FlowContent.fireHistory(visit: Visit, schedule: Schedule) = section {
    h2 { +"History" }
    val name = schedule.name()
    val after = visit.query["after"]
    val fires = visit.snapshot("schedule fires $after $name") { visit.reads.schedules.fires(visit.scope, name, PAGE, after) }
    val operators = Operators.ofSchedule(visit, name)
    val entries = fires.items().filter { it.cause() == FireCause.OPERATOR }
    val now = Instant.now()
    listing("History of the schedule, newest first", fires.items(), "It has not fired yet.") {
        column("For") { exactly(it.scheduledFor()) }
        column("Outcome") { outcome(it) }
        column("Created") { created(visit, it.jobId(), it.runId()) }
        column("Late by") { lateness(it) }
        column("By") { author(visit, operators, it, entries.getOrNull(entries.indexOf(it) - 1)) }
        column("Decided") {
            moment(it.firedAt(), now)
            if (it.times() > 1) +", ${it.times()} times"
        }
        column("Why") { why(it) }
    }
    pager(visit, fires)
    moves(visit, operators)
}

/** [next] is the entry of an operator that followed. */
private fun FlowContent.author(visit: Visit, operators: Operators, fire: ScheduleFire, next: ScheduleFire?) {
    if (fire.cause() != FireCause.OPERATOR) {
        +if (fire.cause() == FireCause.BACKFILL) "a backfill" else "the clock"
        return
    }
    val kind = when (fire.outcome()) {
        FireOutcome.PAUSED -> OperatorActionKind.SCHEDULE_PAUSE
        FireOutcome.RESUMED -> OperatorActionKind.SCHEDULE_RESUME
        else -> OperatorActionKind.SCHEDULE_FIRE
    }
    val action = operators.actionAt(fire.scheduledFor(), next?.scheduledFor(), kind)
    if (action == null) +"an operator" else a(href = visit.link("/audit/${action.id()}")) { ledgerText(action.actor(), "actor") }
}

/** A move of the next fire has no line in the history. */
private fun FlowContent.moves(visit: Visit, operators: Operators) {
    val moves = operators.actions.filter { it.kind() == OperatorActionKind.SCHEDULE_RETIME && it.changed() > 0 }.take(MOVES)
    if (moves.isEmpty()) return
    p { +"The next fire was moved:" }
    ul("lines") {
        moves.forEach { move ->
            li {
                moment(move.startedAt())
                byOperator(visit, move)
                move.reason()?.let {
                    +": "
                    ledgerText(it)
                }
            }
        }
    }
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
private const val MOVES = 10
