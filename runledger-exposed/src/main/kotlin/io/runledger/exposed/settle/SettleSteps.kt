package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.Verdict
import io.runledger.model.state.SettledJob
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Ends attempts of jobs that are steps of workflows: locks the runs, ends the attempts, moves the runs on. */
internal class SettleSteps(private val context: LedgerContext, private val attempts: EndAttempts) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val contributions = Contributions(context)

    /**
     * First the steps of runs that no other transaction holds, so that one busy run keeps no other waiting; then the rest, for
     * which it waits a moment. What is missing in [parts] after that is lost, or its run or row is still held.
     */
    fun settle(endings: List<Ending>, parts: Parts<Ending, SettledJob>) {
        val held = mutableListOf<Ending>()
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

    /** Waits a moment for all of them, because runs are mostly held for less than that; else does without those still held. */
    private fun settleHeld(held: List<Ending>): Map<UUID, SettledJob> = try {
        context.transactions.run { end(it, held, lock(it, held, MOMENT)) }
    } catch (failure: RunledgerException) {
        if (failure.code() != ErrorCode.RELEASE_CONFLICT) throw failure
        context.transactions.run { connection ->
            val jobs = held.map { it.lease.jobId() }
            val locked = runs.lockFree(connection, jobs)
            val free = locked.keys + runs.withoutStep(connection, jobs - locked.keys)
            end(connection, held.filter { it.lease.jobId() in free }, locked)
        }
    }

    /** Locks the runs of [endings]; refused with `workflow.release_conflict` when one is held for longer than [patience]. */
    fun lock(connection: Connection, endings: List<Ending>, patience: Duration = JOINED): Map<UUID, LockedStep> {
        val locked = runs.lockPatiently(connection, endings.map { it.lease.jobId() }, patience)
        // Without a step there is no run to read again: a lost lease is lost at any isolation.
        if (locked.isNotEmpty()) context.transactions.requireReadCommitted(connection, ErrorCode.COMPLETION_ISOLATION)
        return locked
    }

    /** Ends those of [endings] that are steps' jobs, whose runs are [locked] unless they are gone, and moves the runs on. */
    fun end(connection: Connection, endings: List<Ending>, locked: Map<UUID, LockedStep>): Map<UUID, SettledJob> {
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

    /** A job whose step is gone, because its run was deleted, may do what it likes. */
    private fun isRefused(ending: Ending, step: LockedStep?) = ending.verdict is Verdict.Continue && step?.mayContinue == false

    private companion object {
        /** What one held run may cost the settlements of others. */
        val MOMENT: Duration = Duration.ofMillis(100)

        /** A caller who has joined with a transaction of its own cannot easily come again. */
        val JOINED: Duration = Duration.ofSeconds(2)

        val notContinuable = ErrorCode.WORKFLOW_JOB_CONTINUATION.exception(
            "The handler wants to continue in a further run, which its workflow step does not allow: declare the step with " +
                "mayContinue, or end the job.",
        )
    }
}
