package io.runledger.console.screen.schedule

import io.runledger.console.content.inWords
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.visit.Visit
import io.runledger.exposed.Schedules
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent
import kotlinx.html.p
import kotlinx.html.section
import java.time.Instant

/** The rule and the state of a schedule. */
internal fun FlowContent.scheduleFacts(visit: Visit, schedule: Schedule, now: Instant) = section {
    if (schedule.isLate(now)) {
        p("problem") { +"Its fire is overdue. Check that a worker with a scheduler is running." }
    }
    facts {
        fact("State") { scheduleState(schedule, now) }
        fact("Rule", Schedules.describe(schedule))
        schedule.cron()?.let { cron -> fact("Cron expression") { mono(cron) } }
        fact("Time zone", schedule.timeZone().takeIf { schedule.cron() != null })
        fact("Creates") { creates(visit, schedule) }
        if (schedule.active()) fact("Next fire") { exactly(schedule.nextFireAt()) }
        fact("Last fire") {
            moment(schedule.lastFiredAt(), now)
            +" "
            created(visit, schedule.lastJobId(), schedule.lastRunId())
        }
        schedule.deferredFrom()?.let { instant -> fact("Could not fire at") { exactly(instant) } }
        fact("Missed fires", missed(schedule))
        fact(
            "While the previous one is live",
            if (schedule.overlapPolicy() == OverlapPolicy.SKIP) {
                "skip the fire"
            } else {
                "fire anyway"
            },
        )
        fact("Jitter", schedule.maxJitter().takeUnless { it.isZero }?.let { "up to ${it.inWords()}" })
        fact("Version", schedule.version().toString())
        if (visit.scope.kind() == Scope.Kind.EVERYTHING) fact("Organization") { organization(schedule.organizationId()) }
    }
    schedule.declaredActive()?.let { declared ->
        p("note") { +"The code declares it as ${if (declared) "active" else "paused"}; an operator has changed that." }
    }
}

private fun missed(schedule: Schedule) = when (schedule.misfirePolicy()) {
    MisfirePolicy.SKIP -> "skip them"
    MisfirePolicy.ONE -> "fire once for all of them"
    MisfirePolicy.ALL -> "fire once for each, at most ${schedule.misfireLimit()}"
}
