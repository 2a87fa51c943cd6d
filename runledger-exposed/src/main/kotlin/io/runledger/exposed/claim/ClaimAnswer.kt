package io.runledger.exposed.claim

import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.seconds
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant

/** The rows that a claim returned: the [jobs], and the verdicts that end the [unreadable] ones. */
internal class ClaimAnswer(private val request: ClaimRequest) {
    val jobs = mutableListOf<ClaimedJob>()
    val unreadable = LinkedHashMap<Lease, Verdict>()
    private val counts = HashMap<String, Int>()
    private var moments: Moments? = null

    /** The number of leased jobs. */
    val size: Int get() = jobs.size + unreadable.size

    val leases: List<Lease> get() = jobs.map { it.lease() } + unreadable.keys

    fun countOf(jobType: String): Int = counts.getOrDefault(jobType, 0)

    fun add(row: ResultSet) {
        val lease =
            Lease(
                row.uuid("id"),
                row.getInt("run_number"),
                row.getInt("attempt"),
                request.workerId(),
                row.uuid("lease_id"),
                row.getObject("step_id") != null,
            )
        counts.merge(row.getString("job_type"), 1, Int::plus)
        try {
            val moments = moments ?: Moments(row.instant("leased_at"), row.instant("lease_expires_at")).also { moments = it }
            jobs += row.claimedJob(lease, moments).also(::requireValidNumbers)
        } catch (failure: RunledgerException) {
            unreadable[lease] = deadLetter(failure)
        }
    }

    private fun deadLetter(failure: RunledgerException) = Verdict.DeadLetter(
        if (failure.code() == ErrorCode.DB_RULE) {
            JobFailure.terminal(failure.code().wire(), failure.message)
        } else {
            JobFailure.terminal(
                ErrorCode.INVALID_PAYLOAD.wire(),
                "The stored payload, checkpoint or retry policy cannot be read. ${failure.message}",
            )
        },
        DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
    )

    /** The constraints of the schema forbid such numbers. If a constraint was dropped, no worker can use them. */
    private fun requireValidNumbers(job: ClaimedJob) {
        val isCountValid = job.maxAttempts() > 0 && job.interruptions() in 0 until job.lease().attempt()
        if (isCountValid && job.lease().runNumber() > 0 && job.timeout() > Duration.ZERO) return
        throw ErrorCode.DB_RULE.exception(
            "The stored numbers of the job are invalid: run ${job.lease().runNumber()}, attempt ${job.lease().attempt()} of " +
                "${job.maxAttempts()}, ${job.interruptions()} interruptions, a timeout of ${job.timeout()}. Correct its row.",
        )
    }

    /** The times of a claim, which are the same for all its leases. */
    private class Moments(val leasedAt: Instant, val leaseExpiresAt: Instant)

    private fun ResultSet.claimedJob(lease: Lease, moments: Moments) = ClaimedJob(
        lease,
        getString("job_type"),
        uuidOrNull("organization_id"),
        getInt("priority"),
        getInt("max_attempts"),
        getInt("interruptions"),
        seconds("timeout_seconds"),
        json("payload"),
        jsonOrNull("checkpoint"),
        jsonOrNull("retry_policy"),
        instantOrNull("earlier_start") ?: moments.leasedAt,
        moments.leasedAt,
        moments.leaseExpiresAt,
        uuidOrNull("step_id")?.let { ClaimedJob.ClaimedStep(uuid("workflow_run_id"), it, getString("step_key")) },
    )
}
