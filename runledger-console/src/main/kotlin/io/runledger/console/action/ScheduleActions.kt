package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.content.from
import io.runledger.console.content.inUtc
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.MomentField
import io.runledger.console.form.Order
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import java.time.Instant

/** An action on one schedule. Its name is a parameter, because it may contain slashes. */
internal abstract class ScheduleAction(name: String, label: String, isDangerous: Boolean = false) :
    Action<Schedule>("/schedule/$name", label, Section.SCHEDULES, isDangerous = isDangerous) {
    override fun find(visit: Visit): Schedule {
        val name = visit.query["name"] ?: throw NoSuchPageException(visit.request.path)
        return visit.ledgers.writes.schedules.get(visit.scope, name)
    }

    override fun address(subject: Schedule): String = "$path?name=${Visit.inQuery(subject.name())}"

    override fun home(subject: Schedule): String = "/schedules/${Visit.encoded(subject.name())}"

    override fun title(subject: Schedule): String = "$label: ${subject.name()}"

    override fun seen(subject: Schedule): String = if (subject.active()) "active" else "paused"

    override fun preview(content: FlowContent, visit: Visit, subject: Schedule) = content.facts {
        fact("Schedule") { mono(subject.name()) }
        fact("Starts") { mono(subject.jobType() ?: subject.workflowType()) }
        fact("State", seen(subject))
        fact("Next fire") { exactly(subject.nextFireAt()) }
    }
}

internal class FireSchedule : ScheduleAction("fire", "Fire the schedule now") {
    override fun consequence(subject: Schedule): String {
        val what = if (subject.jobType() == null) "run" else "job"
        return "Creates 1 $what at once, even if an earlier one is still running. The regular fires do not change: the next is " +
            "${subject.nextFireAt().from(Instant.now())}."
    }

    override fun act(order: Order<Schedule>): String? {
        order.ledger.schedules.fireNow(order.scope, order.subject.name(), order.reason)
        return null
    }
}

internal class PauseSchedule : ScheduleAction("pause", "Pause the schedule") {
    override fun refusal(subject: Schedule): String? = "The schedule is paused already.".takeIf { !subject.active() }

    override fun consequence(subject: Schedule): String =
        "The schedule does not fire until it is resumed, whatever code declares. Instants during the pause are not made up for."

    override fun act(order: Order<Schedule>): String? {
        order.ledger.schedules.pause(order.scope, order.subject.name(), order.reason)
        return null
    }
}

internal class ResumeSchedule : ScheduleAction("resume", "Resume the schedule") {
    override fun refusal(subject: Schedule): String? = "The schedule is active already.".takeIf { subject.active() }

    override fun consequence(subject: Schedule): String =
        "The schedule fires again, for the first time at its next instant after now. Instants during the pause are not made up " +
            "for."

    override fun act(order: Order<Schedule>): String? {
        order.ledger.schedules.resume(order.scope, order.subject.name(), order.reason)
        return null
    }
}

internal class RetimeSchedule : ScheduleAction("retime", "Move the next fire") {
    override fun consequence(subject: Schedule): String =
        "The next fire is at the time that you enter, instead of ${subject.nextFireAt().inUtc()}. A time in the past is due at " +
            "once. After that fire the schedule follows its rule again."

    override fun seen(subject: Schedule): String = "${super.seen(subject)}, next fire ${subject.nextFireAt().inUtc()}"

    override fun fields(visit: Visit, subject: Schedule): List<Field> = listOf(MomentField(AT, "Next fire", subject.nextFireAt()))

    override fun act(order: Order<Schedule>): String? {
        order.ledger.schedules.retime(order.scope, order.subject.name(), order.instant(AT), order.reason)
        return null
    }
}

internal class DeleteSchedule : ScheduleAction("delete", "Delete the schedule", isDangerous = true) {
    override fun consequence(subject: Schedule): String =
        "Deletes 1 schedule and its history. This cannot be taken back. Its jobs and runs stay. A service that declares the " +
            "schedule creates it again when it starts."

    override fun act(order: Order<Schedule>): String {
        order.ledger.schedules.delete(order.scope, order.subject.name(), order.reason)
        return "/schedules"
    }
}
