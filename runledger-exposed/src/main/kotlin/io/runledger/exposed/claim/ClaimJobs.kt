package io.runledger.exposed.claim

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.settle.SettleJobs
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.start.ClaimAnswer
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import java.sql.Connection
import org.slf4j.LoggerFactory

/**
 * Leases due jobs with one statement, and a second one if other sessions had locked jobs that the first one saw. The transaction
 * commits after the jobs have been read, so that no job stays leased if the caller cannot receive it.
 */
internal class ClaimJobs(private val context: LedgerContext) {
    private val settlements = SettleJobs(context)

    /** If the response to the commit is lost, calls [onUnconfirmed] with the leases that may exist. Their jobs must not run. */
    fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit): List<ClaimedJob> {
        if (request.jobTypes().isEmpty()) return emptyList()
        val answer = ClaimAnswer(request.workerId())
        var isRead = false
        try {
            context.transactions.run { connection ->
                val seen = take(connection, request, answer)
                if (seen > answer.size) takeRest(connection, request, answer)
                isRead = true
            }
        } catch (failure: UnavailableException) {
            if (isRead && answer.size > 0) onUnconfirmed(answer.leases)
            throw failure
        }
        if (answer.unreadable.isNotEmpty()) endUnreadable(answer.unreadable)
        return answer.jobs
    }

    /** Returns the number of due jobs seen. */
    private fun take(connection: Connection, request: ClaimRequest, answer: ClaimAnswer): Long {
        var seen = 0L
        var columns: ClaimAnswer.Columns? = null
        context.rowsByKeptPlan(
            connection,
            context.statements["claim/claim"],
            {
                texts("job_types", request.jobTypes())
                ints("type_limits", request.jobTypes().map { request.typeLimits()[it] })
                int("limit", request.limit())
                leaseTerms(request)
            },
            idleLimit = request.lease(),
        ) {
            val known = columns ?: ClaimAnswer.Columns(this).also {
                columns = it
                seen = getLong("seen")
            }
            // Without a job, the only row has no type.
            if (getString(known.jobType) != null) answer.add(this, known)
        }
        return seen
    }

    private fun takeRest(connection: Connection, request: ClaimRequest, answer: ClaimAnswer) {
        val open = request.jobTypes().associateWith { type -> request.typeLimits()[type]?.minus(answer.countOf(type)) }
            .filterValues { it == null || it > 0 }
        if (open.isEmpty()) return
        var columns: ClaimAnswer.Columns? = null
        context.rowsByKeptPlan(
            connection,
            context.statements["claim/claim_rest"],
            {
                texts("job_types", open.keys.toList())
                ints("type_limits", open.values.toList())
                int("limit", request.limit() - answer.size)
                leaseTerms(request)
            },
        ) {
            answer.add(this, columns ?: ClaimAnswer.Columns(this).also { columns = it })
        }
    }

    private fun Binder.leaseTerms(request: ClaimRequest) {
        text("worker", request.workerId())
        int("lease_seconds", request.lease().toSeconds().toInt())
        text("origin", request.origin().wire())
    }

    /** Ends jobs whose rows were changed by hand and cannot be read. The other jobs are leased already and must be returned. */
    private fun endUnreadable(unreadable: Map<Lease, Verdict>) = try {
        settlements.settle(unreadable).forEach {
            val id = it.lease().jobId()
            log.warn(
                "Job {} was claimed but its row cannot be read. Settling it as a dead letter resulted in {}.",
                id,
                it.result(),
                it.refusal(),
            )
        }
    } catch (failure: RunledgerException) {
        log.warn(
            "Jobs {} were claimed but their rows cannot be read, and settling them as dead letters failed. Their leases expire.",
            unreadable.keys.map { it.jobId() },
            failure,
        )
    }

    private companion object {
        val log = LoggerFactory.getLogger(ClaimJobs::class.java)
    }
}
