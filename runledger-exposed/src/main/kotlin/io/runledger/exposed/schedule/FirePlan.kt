package io.runledger.exposed.schedule

import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.MisfirePolicy
import io.runledger.model.state.OverlapPolicy
import io.runledger.model.state.Schedule
import java.time.Duration
import java.time.Instant

/** What becomes of a due schedule: its instants with their outcomes, and where its cursor goes, null when it is at its end. */
internal class FirePlan(val instants: List<PlannedInstant>, val next: Instant?) {
    companion object {
        /** An instant later than this is missed. */
        val GRACE: Duration = Duration.ofMinutes(1)

        fun of(schedule: Schedule, rhythm: Rhythm, now: Instant, isLastJobLive: Boolean): FirePlan {
            val due = generateSequence(schedule.nextFireAt(), rhythm::next).takeWhile { it <= now }
            val taken = when (schedule.misfirePolicy()) {
                MisfirePolicy.ONE -> due.take(1).toList()
                MisfirePolicy.SKIP -> listOfNotNull(inTime(schedule, rhythm, now))
                MisfirePolicy.ALL -> due.take(minOf(schedule.misfireLimit(), ScheduleRequest.MAX_MISFIRE_LIMIT)).toList()
            }
            val fires = outcomes(taken, schedule.overlapPolicy(), isLastJobLive)
            return FirePlan(fires + listOfNotNull(missed(schedule, rhythm, taken, now)), rhythm.next(now))
        }

        private fun inTime(schedule: Schedule, rhythm: Rhythm, now: Instant): Instant? {
            val earliest = now.minus(GRACE)
            val first = schedule.nextFireAt()
            return if (first >= earliest) first else rhythm.next(earliest)?.takeIf { it <= now }
        }

        private fun outcomes(taken: List<Instant>, policy: OverlapPolicy, isLive: Boolean) = taken.mapIndexed { index, instant ->
            val isOverlapping = policy == OverlapPolicy.SKIP && (isLive || index > 0)
            PlannedInstant(instant, if (isOverlapping) FireOutcome.SKIPPED_OVERLAP else FireOutcome.FIRED)
        }

        // One row stands for all that were missed: a minute's schedule that slept for a week would leave ten thousand.
        private fun missed(schedule: Schedule, rhythm: Rhythm, taken: List<Instant>, now: Instant): PlannedInstant? {
            val first = when (schedule.misfirePolicy()) {
                MisfirePolicy.ONE -> null
                MisfirePolicy.SKIP -> schedule.nextFireAt().takeIf { it !in taken }
                MisfirePolicy.ALL -> rhythm.next(taken.last())?.takeIf { it <= now }
            }
            return first?.let { PlannedInstant(it, FireOutcome.SKIPPED_MISFIRE) }
        }
    }
}

internal class PlannedInstant(val scheduledFor: Instant, val outcome: FireOutcome)
