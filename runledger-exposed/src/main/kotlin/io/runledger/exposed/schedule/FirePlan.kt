package io.runledger.exposed.schedule

import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.MisfirePolicy
import io.runledger.model.state.OverlapPolicy
import io.runledger.model.state.Schedule
import io.runledger.model.state.ScheduleFire
import java.time.Instant

/** What becomes of a due schedule: its instants with their outcomes, and where its cursor goes, null when it is at its end. */
internal class FirePlan(val instants: List<PlannedInstant>, val next: Instant?) {
    /** The same without what was [handled] before. */
    fun without(handled: Set<Instant>) = FirePlan(instants.filterNot { it.scheduledFor in handled }, next)

    companion object {
        fun of(schedule: Schedule, rhythm: Rhythm, now: Instant, isLastLive: Boolean): FirePlan {
            val first = StoredSchedule(schedule).firstDue
            val due = generateSequence(first, rhythm::next).takeWhile { it <= now }
            val taken = when (schedule.misfirePolicy()) {
                MisfirePolicy.ONE -> due.take(1).toList()
                MisfirePolicy.SKIP -> listOfNotNull(inTime(first, rhythm, now))
                MisfirePolicy.ALL -> due.take(minOf(schedule.misfireLimit(), ScheduleRequest.MAX_MISFIRE_LIMIT)).toList()
            }
            val fires = outcomes(taken, schedule.overlapPolicy(), isLastLive)
            val missed = if (schedule.misfirePolicy() == MisfirePolicy.SKIP) {
                first.takeIf { it !in taken }
            } else {
                rhythm.next(taken.last())?.takeIf { it <= now }
            }
            return FirePlan(fires + listOfNotNull(missed?.let { missed(it, now) }), rhythm.next(now))
        }

        private fun inTime(first: Instant, rhythm: Rhythm, now: Instant): Instant? {
            val earliest = now.minus(ScheduleFire.GRACE)
            return if (first >= earliest) first else rhythm.next(earliest)?.takeIf { it <= now }
        }

        private fun outcomes(taken: List<Instant>, policy: OverlapPolicy, isLive: Boolean) = taken.mapIndexed { index, instant ->
            val isOverlapping = policy == OverlapPolicy.SKIP && (isLive || index > 0)
            if (isOverlapping) {
                PlannedInstant(instant, FireOutcome.SKIPPED_OVERLAP, "The last fire's job or run has not ended.")
            } else {
                PlannedInstant(instant, FireOutcome.FIRED)
            }
        }

        // One row stands for all that were missed: a minute's schedule that slept for a week would leave ten thousand.
        private fun missed(first: Instant, now: Instant) = PlannedInstant(
            first,
            FireOutcome.SKIPPED_MISFIRE,
            "Missed, with all that was due from then until $now and did not fire.",
        )
    }
}

internal class PlannedInstant(val scheduledFor: Instant, val outcome: FireOutcome, val reason: String? = null)
