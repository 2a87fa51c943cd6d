package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.SettleRequest
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/**
 * Ends attempts. Jobs without a workflow step need one statement for all plain successes and one for all other endings. Workflow
 * steps need a short fixed sequence of statements, which also advances their runs in the same transaction.
 */
internal class SettleJobs(private val context: LedgerContext) {
    private val attempts = EndAttempts(context)
    private val steps = SettleSteps(context, attempts)

    fun settle(requests: List<SettleRequest>): List<SettledJob> {
        if (requests.isEmpty()) return emptyList()
        val endings = requests.distinctBy { it.lease().leaseId() }.map { AttemptEnding.of(it, context) }
        val settled = HashMap(if (context.transactions.isJoined) settleTogether(endings) else settleApart(endings))
        // Removed from the map: a lease ends one attempt, so a second settlement of it in the same call is lost.
        return requests.map { settled.remove(it.lease().leaseId()) ?: SettledJob(it.lease(), Result.LOST, null) }
    }

    /** In the caller's transaction: all settlements or none, with locks in the common order. */
    private fun settleTogether(endings: List<AttemptEnding>): Map<UUID, SettledJob> = context.transactions.run { connection ->
        try {
            // The statement that ends a single job without a step also locks it. It does not touch the job of a step.
            val own = if (endings.size == 1) attempts.end(connection, endings, steps = false) else emptyMap()
            own.ifEmpty { settleInOrder(connection, endings) }
        } catch (failure: SQLException) {
            if (failure.sqlState != CHANGED_SINCE_SNAPSHOT) throw failure
            throw ErrorCode.DB_CONTENTION.exception(
                "The job changed after the transaction took its snapshot, for example because its lease was renewed: begin the " +
                    "transaction as READ COMMITTED, or make the settlement its first statement.",
                "SQLSTATE ${failure.sqlState}: ${failure.message}",
                failure,
            )
        }
    }

    /** Locks first the runs, then the jobs by id, whether or not they are workflow steps. */
    private fun settleInOrder(connection: Connection, endings: List<AttemptEnding>): Map<UUID, SettledJob> {
        val locked = steps.lock(connection, endings)
        val ids = endings.map { it.lease.jobId() }
        connection.rows(context.statements["settle/job_lock"], { uuids("job_ids", ids) }) { uuid("id") }
        val own = attempts.end(connection, endings.filter { it.lease.jobId() !in locked }, steps = false)
        return own + steps.end(connection, endings.filter { it.lease.leaseId() !in own }, locked)
    }

    private fun settleApart(endings: List<AttemptEnding>): Map<UUID, SettledJob> {
        val parts = Parts<AttemptEnding, SettledJob>(
            { it.lease.leaseId() },
            refused = { ending, refusal -> SettledJob(ending.lease, Result.REFUSED, null, refusal) },
            postponed = { ending, fault -> SettledJob(ending.lease, Result.BUSY, null, fault) },
        )
        settleByKind(endings.filter { it.isStep }, endings.filterNot { it.isStep }, parts)
        val ofOtherKind = answerForHeld(parts.missing(endings), parts)
        settleByKind(ofOtherKind.filterNot { it.isStep }, ofOtherKind.filter { it.isStep }, parts)
        return parts.answers() + parts.missing(ofOtherKind).associate(::busy)
    }

    private fun settleByKind(ofSteps: List<AttemptEnding>, own: List<AttemptEnding>, parts: Parts<AttemptEnding, SettledJob>) {
        val (plain, other) = own.partition { it.isPlainSuccess }
        parts.write(plain) { part -> context.transactions.statement { attempts.succeed(it, part, steps = false) } }
        parts.write(other) { part -> context.transactions.statement { attempts.end(it, part, steps = false) } }
        steps.settle(ofSteps, parts)
    }

    /**
     * If an ending is missing although its lease is current, another transaction holds the row: the result is busy. Returns the
     * endings of the wrong kind, step or not, which were sent to the wrong statement.
     */
    private fun answerForHeld(missing: List<AttemptEnding>, parts: Parts<AttemptEnding, SettledJob>): List<AttemptEnding> {
        val ofOtherKind = mutableListOf<AttemptEnding>()
        parts.write(missing) { part ->
            val states = context.transactions.statement { context.leaseStates(it, part.map { ending -> ending.lease }) }
            val live = part.filter { states[it.lease.leaseId()]?.isLive == true }
            val (held, others) = live.partition { states[it.lease.leaseId()]?.isStep == it.isStep }
            ofOtherKind += others
            held.associate(::busy)
        }
        return ofOtherKind
    }

    private fun busy(ending: AttemptEnding) = ending.lease.leaseId() to SettledJob(ending.lease, Result.BUSY, null)

    private companion object {
        const val CHANGED_SINCE_SNAPSHOT = "40001"
    }
}
