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
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.time.Duration

/**
 * Leases due jobs with one statement, and a second one if other sessions had locked jobs that the first one saw. The transaction
 * commits after the jobs have been read, so that no job stays leased if the caller cannot receive it.
 */
internal class ClaimJobs(private val context: LedgerContext) {
    private val settlements = SettleJobs(context)
    private val flow = ClaimFlow(context)

    /** Whether the last claim saw jobs with flow. The next one then begins with them, or the others could take all slots. */
    @Volatile
    private var isFlowExpected = false

    /**
     * If the response to the commit is lost, calls [onUnconfirmed] with the leases that may exist. Their jobs must not run. If
     * jobs with flow still wait, calls [onFlowWaiting] with the time after which another claim may find them, or null.
     */
    fun claim(
        request: ClaimRequest,
        onUnconfirmed: (List<Lease>) -> Unit,
        onFlowWaiting: (Duration?) -> Unit = {},
    ): List<ClaimedJob> {
        if (request.jobTypes().isEmpty()) return emptyList()
        val answer = ClaimAnswer(request.workerId())
        var isRead = false
        try {
            context.transactions.run { connection ->
                takeAll(connection, request, answer, onFlowWaiting)
                isRead = true
            }
        } catch (failure: UnavailableException) {
            if (isRead && answer.size > 0) onUnconfirmed(answer.leases)
            throw failure
        }
        if (answer.unreadable.isNotEmpty()) endUnreadable(answer.unreadable)
        return answer.jobs
    }

    private fun takeAll(connection: Connection, request: ClaimRequest, answer: ClaimAnswer, onFlowWaiting: (Duration?) -> Unit) {
        if (!request.servesDefaultQueue()) {
            val retryIn = flow.take(connection, request, request.flowLimit(), isBeside = false, answer)
            if (answer.size < request.flowLimit()) onFlowWaiting(retryIn)
            return
        }
        if (isFlowExpected) flow.take(connection, request, request.flowLimit(), isBeside = true, answer)
        if (answer.size == request.limit()) return
        val before = answer.size
        val plain = request.leaving(answer)
        val seen = if (plain == null) Seen(0, isFlowExpected) else take(connection, plain, answer)
        if (plain != null && seen.jobs > answer.size - before) takeRest(connection, request, answer)
        isFlowExpected = seen.hasFlow
        if (!seen.hasFlow) return
        val room = minOf(request.flowLimit() - before, request.limit() - answer.size)
        val retryIn = flow.take(connection, request, room, isBeside = false, answer)
        if (answer.size < request.limit()) onFlowWaiting(retryIn)
    }

    /** The request for the jobs that [answer] leaves room for; null if it leaves none. */
    private fun ClaimRequest.leaving(answer: ClaimAnswer): ClaimRequest? {
        if (answer.size == 0) return this
        val left = typeLimits().mapValues { (type, most) -> most - answer.countOf(type) }
        val types = jobTypes().filter { left.getOrDefault(it, 1) > 0 }
        if (types.isEmpty()) return null
        return ClaimRequest(types, workerId(), lease(), limit() - answer.size, origin(), left.filterValues { it > 0 })
    }

    /** The number of due jobs without flow that a claim has seen, and whether there are due jobs with flow. */
    private class Seen(val jobs: Long, val hasFlow: Boolean)

    private fun take(connection: Connection, request: ClaimRequest, answer: ClaimAnswer): Seen {
        var seen = Seen(0, false)
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
                seen = Seen(getLong("seen"), getBoolean("has_flow"))
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

/** The parameters of the statements that lease jobs. */
internal fun Binder.leaseTerms(request: ClaimRequest) {
    text("worker", request.workerId())
    int("lease_seconds", request.lease().toSeconds().toInt())
    text("origin", request.origin().wire())
}
