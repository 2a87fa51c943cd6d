package io.runledger.console.screen.schedule

import io.runledger.console.page.idLink
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.span
import java.time.Instant
import java.util.UUID

internal fun schedulePath(name: String): String = "/schedules/${Visit.encoded(name)}"

/** Whether a fire of the schedule is overdue by more than the time that every fire may be late. */
internal fun Schedule.isLate(now: Instant): Boolean = active() && nextFireAt().isBefore(now.minus(ScheduleFire.GRACE))

/** Active or paused, and whether it is late or could not fire. */
internal fun FlowContent.scheduleState(schedule: Schedule, now: Instant) {
    when {
        !schedule.active() -> span("state state-paused") { +"paused" }
        schedule.isLate(now) -> span("state state-lost") { +"late" }
        else -> span("state state-active") { +"active" }
    }
    if (schedule.deferredFrom() != null) {
        +" "
        span("state state-deferred") { +"deferred" }
    }
    if (schedule.pollUntil()?.isAfter(now) == true) {
        +" "
        span("state state-running") { +"polling" }
    }
}

/** What the schedule creates. */
internal fun FlowContent.creates(visit: Visit, schedule: Schedule) {
    val type = schedule.jobType()
    val workflow = schedule.workflowType()
    when {
        type != null -> {
            +"job "
            a(href = visit.link("/types/${Visit.encoded(type)}")) { mono(type) }
        }

        workflow != null -> {
            +"run of "
            a(href = visit.link("/runs", "type" to workflow)) { mono(workflow) }
        }

        schedule.kind() == ScheduleKind.POLL -> +"what its poll finds"

        else -> state(schedule.kind())
    }
}

/** Links to the job or run that a fire created. */
internal fun FlowContent.created(visit: Visit, job: UUID?, run: UUID?) {
    job?.let { idLink(visit, "/jobs", it) }
    run?.let { idLink(visit, "/runs", it) }
}
