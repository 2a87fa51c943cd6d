package io.runledger.coroutines

import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimedJob
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

/** Keeps what a meter is told. */
class Tally : WorkerMeter {
    data class End(
        val jobId: UUID,
        val result: WorkerMeter.Result,
        val runNanos: Long,
        val code: String?,
        val reason: DeadLetterReason?,
    )

    val claimed = AtomicInteger()
    val settled = AtomicInteger()
    val waits = ConcurrentLinkedQueue<Long>()
    val ends = ConcurrentLinkedQueue<End>()
    val health = ConcurrentLinkedQueue<String>()

    fun of(jobId: UUID): List<End> = ends.filter { it.jobId == jobId }

    fun results(jobId: UUID): List<WorkerMeter.Result> = of(jobId).map { it.result }

    override fun claimed(jobs: List<ClaimedJob>, limit: Int, elapsedNanos: Long) {
        check(jobs.size <= limit && elapsedNanos > 0)
        claimed.addAndGet(jobs.size)
    }

    override fun started(job: ClaimedJob, waitNanos: Long) {
        waits += waitNanos
    }

    override fun ended(
        job: ClaimedJob,
        result: WorkerMeter.Result,
        runNanos: Long,
        failure: JobFailure?,
        reason: DeadLetterReason?,
    ) {
        ends += End(job.lease().jobId(), result, runNanos, failure?.code(), reason)
    }

    override fun settled(attempts: Int, elapsedNanos: Long) {
        settled.addAndGet(attempts)
    }

    override fun unavailable(failure: RunledgerException) {
        health += failure.code().wire()
    }

    override fun available() {
        health += "available"
    }
}
