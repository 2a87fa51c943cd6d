package io.runledger.coroutines

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.withTimeoutOrNull
import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

/** Records the events of a worker, and wakes tests that wait for an event. */
class Witness : WorkerObserver {
    data class Told(val what: String, val jobId: UUID? = null, val detail: Any? = null)

    private val events = MutableStateFlow(emptyList<Told>())

    val told: List<Told> get() = events.value

    fun of(jobId: UUID): List<String> = told.filter { it.jobId == jobId }.map { it.what }

    suspend fun await(what: String, jobId: UUID? = null): Told = awaitAll(what, jobId, 1).first()

    /** Returns after [count] such events. A test that waits too long fails after half a minute. */
    suspend fun awaitAll(what: String, jobId: UUID? = null, count: Int): List<Told> {
        fun List<Told>.matching() = filter { it.what == what && (jobId == null || it.jobId == jobId) }
        return checkNotNull(withTimeoutOrNull(30.seconds) { events.first { it.matching().size >= count } }) {
            "'$what' was not told $count times, but: $told"
        }.matching()
    }

    /** Returns the failure with [code] that made the ledger unavailable. Others may be reported before it. */
    suspend fun awaitUnavailable(code: ErrorCode): RunledgerException {
        fun List<Told>.causes() = mapNotNull { it.detail as? RunledgerException }.filter { it.code() == code }
        return checkNotNull(withTimeoutOrNull(60.seconds) { events.first { it.causes().isNotEmpty() } }) {
            "$code was not told, but: $told"
        }.causes().first()
    }

    private fun note(what: String, job: ObservedJob? = null, detail: Any? = null) =
        events.update { it + Told(what, job?.jobId, detail) }

    override fun claimed(job: ObservedJob) = note("claimed", job)
    override fun started(job: ObservedJob) = note("started", job)
    override fun succeeded(job: ObservedJob, elapsed: Duration) = note("succeeded", job, elapsed)
    override fun retried(job: ObservedJob, failure: JobFailure, nextRunAt: Instant) = note("retried", job, failure)
    override fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) =
        note("dead-lettered", job, failure)

    override fun postponed(job: ObservedJob, nextRunAt: Instant) = note("postponed", job)
    override fun canceled(job: ObservedJob) = note("canceled", job)
    override fun released(job: ObservedJob) = note("released", job)
    override fun lost(job: ObservedJob) = note("lost", job)
    override fun stuck(job: ObservedJob, reason: Cancellation.Reason) = note("stuck", job, reason)
    override fun overtime(job: ObservedJob, atMost: Duration) = note("overtime", job, atMost)
    override fun reaped(job: ReapedJob) = events.update { it + Told("reaped", job.lease().jobId(), job) }
    override fun unavailable(failure: RunledgerException) = note("unavailable", detail = failure)
    override fun available() = note("available")
    override fun stopped(report: WorkerReport) = note("stopped", detail = report)
}
