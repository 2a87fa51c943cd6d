package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import java.sql.Connection
import java.sql.SQLException
import java.time.Duration
import java.util.UUID

/**
 * Ends attempts. Jobs without a workflow step need one statement for all plain successes and one for all other endings. Workflow
 * steps need a short fixed sequence of statements, which also advances their runs in the same transaction.
 */
internal class SettleJobs(private val context: LedgerContext) {
    private val storable = StorableVerdicts(context)
    private val attempts = EndAttempts(context)
    private val steps = SettleSteps(context, attempts)
    private val releases = ReleaseJobs(context)

    /** The results are in the order of [verdicts]. */
    fun settle(verdicts: Map<Lease, Verdict>): List<SettledJob> {
        if (verdicts.isEmpty()) return emptyList()
        val refusals = HashMap<Lease, RunledgerException>()
        val endings = storable.of(verdicts, refusals)
        val answers = if (context.transactions.isJoined) settleTogether(endings, refusals) else settleApart(endings, refusals)
        return verdicts.keys.map { lease ->
            val answer = answers[lease.leaseId()] ?: SettledJob(lease, Result.LOST, null)
            val refusal = refusals[lease].takeIf { answer.result() == Result.DEAD_LETTERED } ?: return@map answer
            SettledJob(lease, Result.DEAD_LETTERED, null, refusal)
        }
    }

    /** In the caller's transaction: all settlements or none, with locks in the common order. */
    private fun settleTogether(
        verdicts: Map<Lease, Verdict>,
        refusals: MutableMap<Lease, RunledgerException>,
    ): Map<UUID, SettledJob> = context.transactions.run { connection ->
        try {
            // The statement that ends a single job without a step also locks it. It does not touch the job of a step.
            val isOneEnding = verdicts.size == 1 && verdicts.values.single() !is Verdict.Release
            val own = if (isOneEnding) attempts.end(connection, verdicts, steps = false) else emptyMap()
            own.ifEmpty { settleInOrder(connection, verdicts, refusals) }
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
    private fun settleInOrder(
        connection: Connection,
        verdicts: Map<Lease, Verdict>,
        refusals: MutableMap<Lease, RunledgerException>,
    ): Map<UUID, SettledJob> {
        val locked = steps.lock(connection, verdicts.keys)
        val ids = verdicts.keys.map { it.jobId() }
        connection.rows(context.statements["settle/job_lock"], { uuids("job_ids", ids) }) { uuid("id") }
        val released = released(verdicts).flatMap { (reason, leases) ->
            releases.release(connection, leases, reason, Duration.ZERO).toList()
        }.toMap()
        val endings = verdicts.filterValues { it !is Verdict.Release }
        val own = attempts.end(connection, endings.filterKeys { it.jobId() !in locked }, steps = false)
        return released + own + steps.end(connection, endings.filterKeys { it.leaseId() !in own }, locked, refusals)
    }

    /** The leases to release, by reason. */
    private fun released(verdicts: Map<Lease, Verdict>): Map<String, List<Lease>> =
        verdicts.keys.filter { verdicts[it] is Verdict.Release }.groupBy { (verdicts.getValue(it) as Verdict.Release).reason() }

    private fun settleApart(
        verdicts: Map<Lease, Verdict>,
        refusals: MutableMap<Lease, RunledgerException>,
    ): Map<UUID, SettledJob> {
        val parts = settlementParts()
        val endings = verdicts.keys.filter { verdicts[it] !is Verdict.Release }

        fun settle(leases: List<Lease>, asSteps: (Lease) -> Boolean) {
            val plain = ArrayList<Lease>(leases.size)
            val other = ArrayList<Lease>(0)
            val ofSteps = ArrayList<Lease>(0)
            leases.forEach { lease ->
                when {
                    asSteps(lease) -> ofSteps
                    verdicts.getValue(lease).isPlainSuccess -> plain
                    else -> other
                } += lease
            }
            parts.write(plain) { part ->
                context.transactions.statement { attempts.succeed(it, verdicts.of(part), steps = false) }
            }
            parts.write(other) { part -> context.transactions.statement { attempts.end(it, verdicts.of(part), steps = false) } }
            steps.settle(verdicts.of(ofSteps), parts, refusals)
        }

        settle(endings) { it.isStep }
        val ofOtherKind = answerForHeld(parts.missing(endings), parts)
        settle(ofOtherKind) { !it.isStep }
        if (endings.size <
            verdicts.size
        ) {
            released(verdicts).forEach { (reason, leases) -> releases.releaseApart(leases, reason, Duration.ZERO, parts) }
        }
        return parts.answers() + parts.missing(ofOtherKind).associate(::busy)
    }

    /**
     * If a settlement is missing although its lease is current, another transaction holds the row: the result is busy. Returns
     * the leases of the wrong kind, step or not, which were sent to the wrong statement.
     */
    private fun answerForHeld(missing: List<Lease>, parts: Parts<Lease, SettledJob>): List<Lease> {
        val ofOtherKind = mutableListOf<Lease>()
        parts.write(missing) { part ->
            val states = context.transactions.statement { context.leaseStates(it, part) }
            val live = part.filter { states[it.leaseId()]?.isLive == true }
            val (held, others) = live.partition { states[it.leaseId()]?.isStep == it.isStep }
            ofOtherKind += others
            held.associate(::busy)
        }
        return ofOtherKind
    }

    private fun busy(lease: Lease) = lease.leaseId() to SettledJob(lease, Result.BUSY, null)

    private companion object {
        const val CHANGED_SINCE_SNAPSHOT = "40001"
    }
}

/** The verdicts about [leases] only. */
internal fun Map<Lease, Verdict>.of(leases: List<Lease>): Map<Lease, Verdict> =
    if (leases.size == size) this else leases.associateWith { getValue(it) }
