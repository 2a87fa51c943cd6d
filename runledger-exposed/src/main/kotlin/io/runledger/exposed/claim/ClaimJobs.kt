package io.runledger.exposed.claim

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.settle.SettleJobs
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import org.slf4j.LoggerFactory
import java.sql.Connection

/**
 * Leases due jobs: one statement, and another one where other sessions held what the first one saw. The transaction is
 * committed when the jobs have been read, so that nothing is leased to a caller who never learned of it.
 */
internal class ClaimJobs(private val context: LedgerContext) {
    private val settlements = SettleJobs(context)

    /** Where the answer to the commit is lost, [onUnconfirmed] is told what may be leased by now, and nobody is to begin. */
    fun claim(request: ClaimRequest, onUnconfirmed: (List<Lease>) -> Unit): List<ClaimedJob> {
        if (request.jobTypes().isEmpty()) return emptyList()
        val answer = ClaimAnswer(request)
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
        if (answer.unreadable.isNotEmpty()) park(answer.unreadable)
        return answer.jobs
    }

    /** Answers how many due jobs were seen. */
    private fun take(connection: Connection, request: ClaimRequest, answer: ClaimAnswer): Long {
        var seen = 0L
        context.rowsByKeptPlan(
            connection,
            context.statements["claim"],
            {
                texts(request.jobTypes())
                ints(request.jobTypes().map { request.typeLimits()[it] })
                repeat(2) { int(request.limit()) }
                terms(request)
            },
            idleLimit = request.lease(),
        ) {
            seen = getLong("seen")
            if (uuidOrNull("id") != null) answer.add(this)
        }
        return seen
    }

    private fun takeRest(connection: Connection, request: ClaimRequest, answer: ClaimAnswer) {
        val open = request.jobTypes().associateWith { type -> request.typeLimits()[type]?.minus(answer.countOf(type)) }
            .filterValues { it == null || it > 0 }
        if (open.isEmpty()) return
        context.rowsByKeptPlan(
            connection,
            context.statements["claim_rest"],
            {
                texts(open.keys.toList())
                ints(open.values.toList())
                int(request.limit() - answer.size)
                terms(request)
            },
        ) { answer.add(this) }
    }

    private fun Binder.terms(request: ClaimRequest) {
        val seconds = request.lease().toSeconds().toInt()
        text(request.workerId())
        repeat(2) { int(seconds) }
        text(request.origin().wire())
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

    private companion object {
        val log = LoggerFactory.getLogger(ClaimJobs::class.java)
    }
}
