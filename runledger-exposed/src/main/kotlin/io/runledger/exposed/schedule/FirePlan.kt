package io.runledger.exposed.schedule

import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleRequest
import java.time.Instant

/** The plan for a due schedule: its instants with their outcomes, and its next cursor, or null if the schedule has ended. */
internal class FirePlan(val instants: List<PlannedInstant>, val next: Instant?) {
    /** The same plan without the instants that were [handled] before. */
    fun without(handled: Set<Instant>) = FirePlan(instants.filterNot { it.scheduledFor in handled }, next)

    companion object {
        fun of(schedule: Schedule, recurrence: Recurrence, now: Instant, isLastLive: Boolean): FirePlan {
            val first = StoredSchedule(schedule).firstDue
            val due = generateSequence(first, recurrence::next).takeWhile { it <= now }
            val taken = when (schedule.misfirePolicy()) {
                MisfirePolicy.ONE -> due.take(1).toList()
                MisfirePolicy.SKIP -> listOfNotNull(inTime(first, recurrence, now))
                MisfirePolicy.ALL -> due.take(minOf(schedule.misfireLimit(), ScheduleRequest.MAX_MISFIRE_LIMIT)).toList()
            }
            val fires = outcomes(taken, schedule.overlapPolicy(), isLastLive)
            val missed = if (schedule.misfirePolicy() == MisfirePolicy.SKIP) {
                first.takeIf { it !in taken }
            } else {
                recurrence.next(taken.last())?.takeIf { it <= now }
            }
            return FirePlan(fires + listOfNotNull(missed?.let { missed(it, now) }), recurrence.next(now))
        }

        private fun inTime(first: Instant, recurrence: Recurrence, now: Instant): Instant? {
            val earliest = now.minus(ScheduleFire.GRACE)
            return if (first >= earliest) first else recurrence.next(earliest)?.takeIf { it <= now }
        }

        private fun outcomes(taken: List<Instant>, policy: OverlapPolicy, isLive: Boolean) = taken.mapIndexed { index, instant ->
            val isOverlapping = policy == OverlapPolicy.SKIP && (isLive || index > 0)
            if (isOverlapping) {
                PlannedInstant(instant, FireOutcome.SKIPPED_OVERLAP, "The last fire's job or run has not ended.")
            } else {
                PlannedInstant(instant, FireOutcome.FIRED)
            }
        }

        // One row covers all missed instants: after a week without a scheduler, a minutely schedule would leave ten thousand.
        private fun missed(first: Instant, now: Instant) = PlannedInstant(
            first,
            FireOutcome.SKIPPED_MISFIRE,
            "Missed, as were all instants from then until $now that did not fire.",
        )
    }
}

internal class PlannedInstant(val scheduledFor: Instant, val outcome: FireOutcome, val reason: String? = null)
