package io.runledger.exposed.claim

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.settle.SettleJobs
import io.runledger.exposed.sql.Binder
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
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobFailure
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.Lease
import org.slf4j.LoggerFactory
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant

/** Leases due jobs: one statement, no transaction around it. */
internal class ClaimJobs(private val context: LedgerContext) {
    private val settlements = SettleJobs(context)

    fun claim(request: ClaimRequest): List<ClaimedJob> {
        if (request.jobTypes().isEmpty()) return emptyList()
        val seconds = request.lease().toSeconds().toInt()
        val unreadable = mutableListOf<SettleRequest>()
        var moments: Moments? = null
        val bind: Binder.() -> Unit = {
            texts(request.jobTypes())
            ints(request.jobTypes().map { request.typeLimits()[it] })
            repeat(LIMITS) { int(request.limit()) }
            text(request.workerId())
            int(seconds)
            int(seconds)
            text(request.origin().wire())
        }
        val read: ResultSet.() -> ClaimedJob? = {
            val lease = Lease(uuid("id"), getInt("run_number"), getInt("attempt"), request.workerId(), uuid("lease_id"))
            try {
                claimedJob(lease, moments ?: Moments(instant("leased_at"), instant("lease_expires_at")).also { moments = it })
                    .also(::requireSound)
            } catch (failure: RunledgerException) {
                unreadable += SettleRequest.of(lease, parked(failure))
                null
            }
        }
        val claimed = context.transactions.statement { connection ->
            context.rowsByKeptPlan(connection, context.statements["claim"], bind, read)
        }
        if (unreadable.isNotEmpty()) park(unreadable)
        return claimed.filterNotNull()
    }

    /** Somebody stored by hand what the library cannot read. Its neighbours are leased by now: they must be answered with. */
    private fun park(unreadable: List<SettleRequest>) = try {
        settlements.settle(unreadable).forEach {
            val id = it.lease().jobId()
            log.warn("Job {} was claimed and cannot be read; parking it ended as {}.", id, it.result(), it.refusal())
        }
    } catch (failure: RunledgerException) {
        log.warn("Jobs {} were claimed, cannot be read, and run out.", unreadable.map { it.lease().jobId() }, failure)
    }

    private fun parked(failure: RunledgerException) = Verdict.DeadLetter(
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

    /** The schema's rules forbid such numbers, unless somebody lifted them. No worker could reckon with them. */
    private fun requireSound(job: ClaimedJob) {
        val isCountSound = job.maxAttempts() > 0 && job.interruptions() in 0 until job.lease().attempt()
        if (isCountSound && job.lease().runNumber() > 0 && job.timeout() > Duration.ZERO) return
        throw ErrorCode.DB_RULE.exception(
            "The stored numbers of the job cannot be: run ${job.lease().runNumber()}, attempt ${job.lease().attempt()} of " +
                "${job.maxAttempts()}, ${job.interruptions()} interruptions, a timeout of ${job.timeout()}.",
        )
    }

    /** The times of a claim, which are the same for all it leases. */
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

    private companion object {
        /** How often the statement asks for the limit. */
        const val LIMITS = 3
        val log = LoggerFactory.getLogger(ClaimJobs::class.java)
    }
}
