package io.runledger.coroutines.settle

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.watch.AttemptReporter
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlin.time.Duration

/** Returns jobs that have not started to the queue, without spending their attempts. */
internal class HeldReleases(
    private val scope: CoroutineScope,
    private val settler: Settler,
    private val running: RunningJobs,
    private val reporter: AttemptReporter,
    private val onReleased: () -> Unit,
) {
    fun release(attempt: Attempt) {
        running.settle(attempt)
        scope.launch(Dispatchers.Unconfined) {
            try {
                reporter.ended(attempt, released, settler.write(attempt, released), Duration.ZERO)
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
