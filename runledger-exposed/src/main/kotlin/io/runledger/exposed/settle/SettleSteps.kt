package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.Verdict
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.sql.Connection
import java.util.UUID

/** Ends attempts of jobs that are steps of workflows: locks the runs, ends the attempts, moves the runs on. */
internal class SettleSteps(private val context: LedgerContext, private val attempts: EndAttempts) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val contributions = Contributions(context)

    /**
     * First the steps of runs that nobody holds, so that one busy run keeps nobody waiting; then the others, for which it waits
     * a little. What is still held after that is [Result.BUSY]. Answers by lease id; a missing one is lost.
     */
    fun settle(endings: List<Ending>): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val held = mutableListOf<Ending>()
        val settled = settleEach(endings) { part ->
            val (left, settled) = context.transactions.run { connection ->
                val locked = runs.lockFreeByKeptPlan(connection, part.map { it.lease.jobId() })
                val (free, left) = part.partition { it.lease.jobId() in locked }
                left to end(connection, free, locked)
            }
            held += left
            settled
        }
        return settled + if (held.isEmpty()) emptyMap() else settleEach(held, ::settleHeld)
    }

    private fun settleHeld(held: List<Ending>): Map<UUID, SettledJob> = try {
        context.transactions.run { settleHere(it, held) }
    } catch (failure: RunledgerException) {
        if (failure.code() != ErrorCode.RELEASE_CONFLICT) throw failure
        held.associate { it.lease.leaseId() to SettledJob(it.lease, Result.BUSY, null) }
    }

    /** All of [endings] in the transaction of [connection]; refused with `workflow.release_conflict` after a short wait. */
    fun settleHere(connection: Connection, endings: List<Ending>): Map<UUID, SettledJob> {
        if (endings.isEmpty()) return emptyMap()
        val locked = runs.lockPatiently(connection, endings.map { it.lease.jobId() })
        // Without a step there is no run to read again: a lost lease is lost at any isolation.
        if (locked.isNotEmpty()) context.transactions.requireReadCommitted(connection, ErrorCode.COMPLETION_ISOLATION)
        return end(connection, endings, locked)
    }

    private fun end(connection: Connection, endings: List<Ending>, locked: Map<UUID, LockedStep>): Map<UUID, SettledJob> {
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
        val notContinuable = ErrorCode.WORKFLOW_JOB_CONTINUATION.exception(
            "The handler wants to continue in a further run, which its workflow step does not allow: declare the step with " +
                "mayContinue, or end the job.",
        )
    }
}
