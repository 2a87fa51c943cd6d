package io.runledger.coroutines.loop

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.model.run.JobFailure
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.ReapedJob

/** Wakes the hooks of a worker when it has made a dead letter, so that they need not wait for their next look. */
internal class HookAlarm(private val hooks: () -> List<HookLoop>) : WorkerObserver {
    override fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) = wake(job.jobType)

    override fun reaped(job: ReapedJob) {
        if (job.result() == ReapedJob.Result.DEAD_LETTERED) wake(job.jobType())
    }

    private fun wake(jobType: String) = hooks().forEach { it.onDeadLetter(jobType) }
}
