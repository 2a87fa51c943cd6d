package io.runledger.console.action

import io.runledger.console.content.grouped
import io.runledger.console.content.of
import io.runledger.console.form.CheckField
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.MomentField
import io.runledger.console.form.Order
import io.runledger.console.form.Review
import io.runledger.console.form.runLong
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.payload.JsonTrees
import io.runledger.console.visit.Visit
import io.runledger.exposed.Schedules
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.BackfillPreview
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleKind
import kotlinx.html.FlowContent
import java.time.Duration
import java.time.Instant
import java.time.format.DateTimeParseException
import java.time.temporal.ChronoUnit

/** Fires the instants of a schedule in a range of the past: the range first, then the number and a sample of the instants. */
internal class BackfillSchedule : ScheduleAction("backfill", "Backfill the schedule") {
    override val isLong: Boolean get() = true

    override val hasReview: Boolean get() = true

    override fun refusal(subject: Schedule): String? =
        "A trigger polls for what is there now: polls of the past cannot be made up for."
            .takeIf { subject.kind() == ScheduleKind.POLL }

    override fun consequence(subject: Schedule): String =
        "Creates 1 ${subject.work()} for each instant of the rule in the range that you enter, from its first time until " +
            "before its last, even if an earlier one is still running. Instants that have fired are left out. The regular " +
            "fires do not change. A range may have ${BackfillReport.MOST_INSTANTS.toLong().grouped()} instants. The next " +
            "page shows them before anything is created."

    /** What decides the instants. The next fire moves all the time. */
    override fun seen(subject: Schedule): String = Schedules.describe(subject)

    override fun preview(content: FlowContent, visit: Visit, subject: Schedule) {
        super.preview(content, visit, subject)
        content.facts { fact("Rule", Schedules.describe(subject)) }
    }

    override fun fields(visit: Visit, subject: Schedule): List<Field> {
        val now = Instant.now().truncatedTo(ChronoUnit.MINUTES)
        return listOf(
            MomentField(FROM, "From", given(visit, FROM) ?: now.minus(DAY)),
            MomentField(UNTIL, "Until before", given(visit, UNTIL) ?: now),
            CheckField(AGAIN, "Also fire instants again that have fired"),
        )
    }

    override fun review(order: Order<Schedule>): Review {
        val found = order.visit.ledgers.writes.schedules.previewBackfill(
            order.scope,
            order.subject.name(),
            order.instant(FROM),
            order.instant(UNTIL),
            order.isChecked(AGAIN),
        )
        if (found.toFire() == 0) throw FieldProblem(FROM, nothing(found))
        val work = found.toFire().toLong().of(order.subject.work())
        return Review("Creates $work at once, of schedule ${order.subject.name()}.") {
            show(order.subject, found)
        }
    }

    override fun act(order: Order<Schedule>): String? {
        val ledger = order.ledger
        val from = order.instant(FROM)
        val until = order.instant(UNTIL)
        val again = order.isChecked(AGAIN)
        order.runLong { ledger.schedules.backfill(order.scope, order.subject.name(), from, until, order.reason, again) }
        return null
    }

    /** The page for the rest of [action], which has not ended. Null if it is another action, or if instants would fire again. */
    fun rest(action: OperatorAction): String? {
        val name = action.target().name()?.takeIf { action.kind() == OperatorActionKind.SCHEDULE_BACKFILL } ?: return null
        val details = JsonTrees.read(action.details())
        if (details.get("include_fired")?.booleanValue() != false) return null
        val range = listOf(FROM, UNTIL).map { it to (details.get(it)?.stringValue() ?: return null) }
        return "$path?name=${Visit.inQuery(name)}" + range.joinToString("") { (field, at) -> "&$field=${Visit.inQuery(at)}" }
    }

    private fun nothing(found: BackfillPreview): String = "There is nothing to fire in this range. It has " +
        "${found.instants().toLong().of("instant")}, ${found.alreadyFired().toLong().grouped()} of which have fired, and " +
        "${found.pending().toLong().grouped()} of which the schedule will decide itself."

    private fun FlowContent.show(schedule: Schedule, found: BackfillPreview) {
        facts {
            fact("Rule") { ledgerText(Schedules.describe(schedule)) }
            fact("Instants in the range", found.instants().toLong().grouped())
            fact("Fired before", found.alreadyFired().toLong().grouped())
            if (found.pending() > 0) {
                val pending = found.pending().toLong().grouped()
                fact("Left to the schedule", "$pending, because it is active and has still to decide them")
            }
            fact("To fire", found.toFire().toLong().grouped())
            found.first()?.let { at -> fact("First") { exactly(at) } }
            found.last()?.let { at -> fact("Last") { exactly(at) } }
        }
        listing("The first instants that fire", found.sample(), "No instant fires.") { column("For") { exactly(it) } }
    }

    private fun Schedule.work() = if (jobType() == null) "run" else "job"

    private fun given(visit: Visit, field: String): Instant? = visit.query[field]?.let { text ->
        try {
            Instant.parse(text)
        } catch (_: DateTimeParseException) {
            null
        }
    }

    private companion object {
        const val FROM = "from"
        const val UNTIL = "until"
        const val AGAIN = "again"
        val DAY: Duration = Duration.ofDays(1)
    }
}
