package io.runledger.exposed.start

import io.runledger.exposed.json.readHeaders
import io.runledger.exposed.sql.StoredJson
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant

/** The rows that a claim of a worker returned: the [jobs], and the verdicts that end the [unreadable] ones. */
internal class ClaimAnswer(private val workerId: String) {
    val jobs = ArrayList<ClaimedJob>()
    val unreadable = LinkedHashMap<Lease, Verdict>()
    private val unreadableTypes = ArrayList<String>(0)
    private var moments: Moments? = null

    /** The number of leased jobs. */
    val size: Int get() = jobs.size + unreadable.size

    val leases: List<Lease> get() = jobs.map { it.lease() } + unreadable.keys

    fun countOf(jobType: String): Int = jobs.count { it.jobType() == jobType } + unreadableTypes.count { it == jobType }

    fun add(row: ResultSet, columns: Columns) {
        val stepKey: String? = row.getString(columns.stepKey)
        val lease =
            Lease(
                row.uuid(columns.id),
                row.getInt(columns.runNumber),
                row.getInt(columns.attempt),
                workerId,
                row.uuid(columns.leaseId),
                stepKey != null,
            )
        val jobType = row.getString(columns.jobType)
        try {
            val moments = moments ?: Moments(row.instant("leased_at"), row.instant("lease_expires_at")).also { moments = it }
            jobs += row.claimedJob(columns, lease, jobType, stepKey, moments).also(::requireValidNumbers)
        } catch (failure: RunledgerException) {
            unreadableTypes += jobType
            unreadable[lease] = deadLetter(failure)
        }
    }

    /** The positions of the columns: a claim has many rows, and finding a column by its name takes longer than reading it. */
    class Columns(row: ResultSet) {
        val id = row.findColumn("id")
        val leaseId = row.findColumn("lease_id")
        val runNumber = row.findColumn("run_number")
        val attempt = row.findColumn("attempt")
        val jobType = row.findColumn("job_type")
        val organizationId = row.findColumn("organization_id")
        val priority = row.findColumn("priority")
        val maxAttempts = row.findColumn("max_attempts")
        val interruptions = row.findColumn("interruptions")
        val timeoutSeconds = row.findColumn("timeout_seconds")
        val payload = row.findColumn("payload")
        val checkpoint = row.findColumn("checkpoint")
        val retryPolicy = row.findColumn("retry_policy")
        val earlierStart = row.findColumn("earlier_start")
        val waited = row.findColumn("waited")
        val stepKey = row.findColumn("step_key")
        val headers = row.findColumn("headers")
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

    private fun ResultSet.claimedJob(columns: Columns, lease: Lease, jobType: String, stepKey: String?, moments: Moments) =
        ClaimedJob(
            lease,
            jobType,
            uuidOrNull(columns.organizationId),
            getInt(columns.priority),
            getInt(columns.maxAttempts),
            getInt(columns.interruptions),
            Duration.ofSeconds(getLong(columns.timeoutSeconds)),
            StoredJson.read(getString(columns.payload)),
            getString(columns.checkpoint)?.let(StoredJson::read),
            getString(columns.retryPolicy)?.let(StoredJson::read),
            readHeaders(getString(columns.headers)),
            instantOrNull(columns.earlierStart) ?: moments.leasedAt,
            moments.leasedAt,
            moments.leaseExpiresAt,
            (getDouble(columns.waited) * 1_000_000).toLong().coerceAtLeast(0),
            stepKey?.let { ClaimedJob.ClaimedStep(uuid("workflow_run_id"), uuid("step_id"), it) },
        )
}
