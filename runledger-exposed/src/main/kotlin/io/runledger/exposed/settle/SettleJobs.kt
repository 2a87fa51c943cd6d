package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/**
 * Ends attempts: one statement for all plain successes of jobs of their own, one for their other endings, and a short fixed
 * sequence for all that are steps of workflows, whose runs move on in the same transaction.
 */
internal class SettleJobs(private val context: LedgerContext) {
    private val attempts = EndAttempts(context)
    private val steps = SettleSteps(context, attempts)

    fun settle(requests: List<SettleRequest>): List<SettledJob> {
        if (requests.isEmpty()) return emptyList()
        val endings = requests.distinctBy { it.lease().leaseId() }.map { Ending.of(it, context) }
        val settled = HashMap(if (context.transactions.isJoined) settleTogether(endings) else settleApart(endings))
        // Taken out of the map: a lease ends one attempt, so its second settlement in the same call finds nothing to end.
        return requests.map { settled.remove(it.lease().leaseId()) ?: SettledJob(it.lease(), Result.LOST, null) }
    }

    /** In the caller's transaction: all of it or nothing, and in the order in which everything is locked. */
    private fun settleTogether(endings: List<Ending>): Map<UUID, SettledJob> = context.transactions.run { connection ->
        try {
            // One job of its own is locked by the statement that ends it; a step's job is not touched by that.
            val own = if (endings.size == 1) attempts.end(connection, endings, steps = false) else emptyMap()
            own.ifEmpty { settleInOrder(connection, endings) }
        } catch (failure: SQLException) {
            if (failure.sqlState != CHANGED_SINCE_SNAPSHOT) throw failure
            throw ErrorCode.DB_CONTENTION.exception(
                "The job changed after this transaction had read its first row, for example because its lease was renewed: " +
                    "begin the transaction as READ COMMITTED, or settle before anything else in it.",
                "SQLSTATE ${failure.sqlState}: ${failure.message}",
                failure,
            )
        }
    }

    /** First the runs, then the jobs by their ids, whether they are steps or not. */
    private fun settleInOrder(connection: Connection, endings: List<Ending>): Map<UUID, SettledJob> {
        val locked = steps.lock(connection, endings)
        connection.rows(context.statements["job_lock"], { uuids(endings.map { it.lease.jobId() }) }) { uuid("id") }
        val own = attempts.end(connection, endings.filter { it.lease.jobId() !in locked }, steps = false)
        return own + steps.end(connection, endings.filter { it.lease.leaseId() !in own }, locked)
    }

    private fun settleApart(endings: List<Ending>): Map<UUID, SettledJob> {
        val parts = Parts<Ending, SettledJob>(
            { it.lease.leaseId() },
            refused = { ending, refusal -> SettledJob(ending.lease, Result.REFUSED, null, refusal) },
            postponed = { ending, fault -> SettledJob(ending.lease, Result.BUSY, null, fault) },
        )
        settleByKind(endings.filter { it.isStep }, endings.filterNot { it.isStep }, parts)
        val misjudged = answerForHeld(parts.missing(endings), parts)
        settleByKind(misjudged.filterNot { it.isStep }, misjudged.filter { it.isStep }, parts)
        return parts.answers() + parts.missing(misjudged).associate(::busy)
    }

    private fun settleByKind(ofSteps: List<Ending>, own: List<Ending>, parts: Parts<Ending, SettledJob>) {
        val (plain, other) = own.partition { it.isPlainSuccess }
        parts.write(plain) { part -> context.transactions.statement { attempts.succeed(it, part, steps = false) } }
        parts.write(other) { part -> context.transactions.statement { attempts.end(it, part, steps = false) } }
        steps.settle(ofSteps, parts)
    }

    /**
     * What is missing although its lease stands is held by another transaction. Answers with those for which that cannot be
     * said, because they are of the other kind than they were said to be.
     */
    private fun answerForHeld(missing: List<Ending>, parts: Parts<Ending, SettledJob>): List<Ending> {
        val misjudged = mutableListOf<Ending>()
        parts.write(missing) { part ->
            val standing = context.transactions.statement { context.standing(it, part.map { ending -> ending.lease }) }
            val live = part.filter { standing[it.lease.leaseId()]?.isLive == true }
            val (held, others) = live.partition { standing[it.lease.leaseId()]?.isStep == it.isStep }
            misjudged += others
            held.associate(::busy)
        }
        return misjudged
    }

    private fun busy(ending: Ending) = ending.lease.leaseId() to SettledJob(ending.lease, Result.BUSY, null)

    private companion object {
        const val CHANGED_SINCE_SNAPSHOT = "40001"
    }
}
