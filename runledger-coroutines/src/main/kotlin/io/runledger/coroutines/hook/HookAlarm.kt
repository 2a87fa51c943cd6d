package io.runledger.coroutines.hook

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob
import java.util.concurrent.CopyOnWriteArrayList

/** Wakes the hook loops of a worker when a job becomes a dead letter, so that they do not wait for their next pass. */
internal class HookAlarm : WorkerObserver {
    private val hooks = CopyOnWriteArrayList<HookLoop>()

    fun add(hook: HookLoop) {
        hooks += hook
    }

    override fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) = wake(job.jobType)

    override fun reaped(job: ReapedJob) {
        if (job.result() == ReapedJob.Result.DEAD_LETTERED) wake(job.jobType())
    }

    private fun wake(jobType: String) = hooks.forEach { it.onDeadLetter(jobType) }
}
