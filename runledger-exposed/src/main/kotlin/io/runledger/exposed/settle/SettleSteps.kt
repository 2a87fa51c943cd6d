package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Ends the attempts of workflow steps: locks the runs, ends the attempts, advances the runs. */
internal class SettleSteps(private val context: LedgerContext, private val attempts: EndAttempts) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val contributions = Contributions(context)

    /**
     * Settles first the steps of runs that no other transaction holds, so that a busy run does not delay the others. Then waits a
     * short time for the rest. If an ending is missing in [parts] after that, its lease is lost, or its run or row is still held.
     */
    fun settle(endings: List<AttemptEnding>, parts: Parts<AttemptEnding, SettledJob>) {
        val held = mutableListOf<AttemptEnding>()
        parts.write(endings) { part ->
            val (left, settled) = context.transactions.run { connection ->
                val locked = runs.lockFreeByKeptPlan(connection, part.map { it.lease.jobId() })
                val (free, left) = part.partition { it.lease.jobId() in locked }
                left to end(connection, free, locked)
            }
            held += left
            settled
        }
        parts.write(held, ::settleHeld)
    }

    /** Waits a short time for all runs, because most locks are shorter. If that fails, settles without the runs still held. */
    private fun settleHeld(held: List<AttemptEnding>): Map<UUID, SettledJob> = try {
        context.transactions.run { end(it, held, lock(it, held, BUSY_RUN_WAIT)) }
    } catch (failure: RunledgerException) {
        if (failure.code() != ErrorCode.RELEASE_CONFLICT) throw failure
        context.transactions.run { connection ->
            val jobs = held.map { it.lease.jobId() }
            val locked = runs.lockFree(connection, jobs)
            val free = locked.keys + runs.withoutStep(connection, jobs - locked.keys)
            end(connection, held.filter { it.lease.jobId() in free }, locked)
        }
    }

    /** Locks the runs of [endings]. If one is held for longer than [patience], throws `workflow.release_conflict`. */
    fun lock(connection: Connection, endings: List<AttemptEnding>, patience: Duration = JOINED_WAIT): Map<UUID, LockedStep> {
        val locked = runs.lockPatiently(connection, endings.map { it.lease.jobId() }, patience)
        // Without a step there is no run to read again, and a lost lease is lost at any isolation level.
        if (locked.isNotEmpty()) context.transactions.requireReadCommitted(connection, ErrorCode.COMPLETION_ISOLATION)
        return locked
    }

    /** Ends those of [endings] that are workflow steps and advances their runs, which are [locked] unless they were deleted. */
    fun end(connection: Connection, endings: List<AttemptEnding>, locked: Map<UUID, LockedStep>): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val allowed = endings.map { if (isRefused(it, locked[it.lease.jobId()])) it.refused(context, notContinuable) else it }
        val (now, later) = contributions.judge(connection, allowed, locked)
        val (plain, other) = now.partition { it.isPlainSuccess }
        val settled = attempts.succeed(connection, plain, steps = true) + attempts.end(connection, other, steps = true)
        contributions.add(connection, now.filter { it.lease.leaseId() in settled }, locked)
        val jobs = settled.values.map { it.lease().jobId() }.filter { it in locked }
        if (jobs.isNotEmpty()) advance.followJobs(connection, jobs)
        return if (later.isEmpty()) settled else settled + end(connection, later, locked)
    }

    /** If the run was deleted, the job has no step any more and may continue. */
    private fun isRefused(ending: AttemptEnding, step: LockedStep?) =
        ending.verdict is Verdict.Continue && step?.mayContinue == false

    private companion object {
        /** The longest delay that a held run causes for other settlements. */
        val BUSY_RUN_WAIT: Duration = Duration.ofMillis(100)

        /** The wait in the caller's transaction, which the caller cannot easily retry. */
        val JOINED_WAIT: Duration = Duration.ofSeconds(2)

        val notContinuable = ErrorCode.WORKFLOW_JOB_CONTINUATION.exception(
            "The handler asked to continue in another run, which its workflow step does not allow: declare the step with " +
                "mayContinue, or end the job.",
        )
    }
}
