package io.runledger.coroutines.settle

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.lease.Verdict
import kotlin.time.Duration

/** Returns jobs that have not started to the queue, without spending their attempts. */
internal class HeldReleases(
    private val settler: Settler,
    private val running: RunningJobs,
    private val reporter: AttemptReporter,
    private val onReleased: () -> Unit,
) {
    fun release(attempt: Attempt) {
        running.settle(attempt)
        settler.write(attempt, released) { settled ->
            try {
                reporter.ended(attempt, released, settled, Duration.ZERO)
            } finally {
                running.remove(attempt)
                onReleased()
            }
        }
    }

    private companion object {
        val released = Verdict.Release("NOT_STARTED")
    }
}
