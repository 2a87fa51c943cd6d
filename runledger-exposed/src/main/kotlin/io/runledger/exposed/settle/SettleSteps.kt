package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Parts
import io.runledger.exposed.sql.exception
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.workflow.WorkflowStepStatus
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
     * short time for the rest. If a lease is missing in [parts] after that, it is lost, or its run or row is still held.
     */
    fun settle(verdicts: Map<Lease, Verdict>, parts: Parts<Lease, SettledJob>, refusals: MutableMap<Lease, RunledgerException>) {
        val held = mutableListOf<Lease>()
        parts.write(verdicts.keys.toList()) { part ->
            val (left, settled) = context.transactions.run { connection ->
                val locked = runs.lockFreeByKeptPlan(connection, part.map { it.jobId() })
                val (free, left) = part.partition { it.jobId() in locked }
                left to end(connection, verdicts.of(free), locked, refusals)
            }
            held += left
            settled
        }
        parts.write(held) { part -> settleHeld(verdicts.of(part), refusals) }
    }

    /** Waits a short time for all runs, because most locks are shorter. If that fails, settles without the runs still held. */
    private fun settleHeld(held: Map<Lease, Verdict>, refusals: MutableMap<Lease, RunledgerException>): Map<UUID, SettledJob> =
        try {
            context.transactions.run { end(it, held, lock(it, held.keys, BUSY_RUN_WAIT), refusals) }
        } catch (failure: RunledgerException) {
            if (failure.code() != ErrorCode.RELEASE_CONFLICT) throw failure
            context.transactions.run { connection ->
                val jobs = held.keys.map { it.jobId() }
                val locked = runs.lockFree(connection, jobs)
                val free = locked.keys + runs.withoutStep(connection, jobs - locked.keys)
                end(connection, held.filterKeys { it.jobId() in free }, locked, refusals)
            }
        }

    /** Locks the runs of [leases]. If one is held for longer than [patience], throws `workflow.release_conflict`. */
    fun lock(connection: Connection, leases: Collection<Lease>, patience: Duration = JOINED_WAIT): Map<UUID, LockedStep> {
        val locked = runs.lockPatiently(connection, leases.map { it.jobId() }, patience)
        // Without a step there is no run to read again, and a lost lease is lost at any isolation level.
        if (locked.isNotEmpty()) context.transactions.requireReadCommitted(connection, ErrorCode.COMPLETION_ISOLATION)
        return locked
    }

    /**
     * Ends those attempts that belong to workflow steps and advances their runs, which are [locked] unless they were deleted.
     * [refusals] receives the reasons of dead letters that replace other verdicts.
     */
    fun end(
        connection: Connection,
        verdicts: Map<Lease, Verdict>,
        locked: Map<UUID, LockedStep>,
        refusals: MutableMap<Lease, RunledgerException>,
    ): Map<UUID, SettledJob> {
        if (verdicts.isEmpty()) return emptyMap()
        val judgement = contributions.judge(connection, verdicts, locked)
        val refused =
            verdicts.filter { (lease, verdict) -> isRefused(verdict, locked[lease.jobId()]) }.mapValues { notContinuable } +
                judgement.refused
        refusals += refused
        val now = (verdicts - judgement.later).mapValues { (lease, verdict) ->
            refused[lease]?.let(StorableVerdicts::deadLetter) ?: verdict
        }
        val (plain, other) = now.keys.partition { now.getValue(it).isPlainSuccess }
        val settled =
            attempts.succeed(connection, now.of(plain), steps = true) + attempts.end(connection, now.of(other), steps = true)
        contributions.add(connection, now.filterKeys { it.leaseId() in settled }, locked)
        advance.afterJobs(connection, endedSteps(settled.values, locked))
        val later = judgement.later
        return if (later.isEmpty()) settled else settled + end(connection, verdicts.of(later.toList()), locked, refusals)
    }

    /** How the steps of jobs that have ended ended. If the run was deleted, the job has no step any more. */
    private fun endedSteps(settled: Collection<SettledJob>, locked: Map<UUID, LockedStep>): Map<LockedStep, WorkflowStepStatus> =
        buildMap {
            settled.forEach { job ->
                val step = locked[job.lease().jobId()]
                val status = when (job.result()) {
                    SettledJob.Result.SUCCEEDED -> WorkflowStepStatus.SUCCEEDED
                    SettledJob.Result.DEAD_LETTERED -> WorkflowStepStatus.FAILED
                    SettledJob.Result.CANCELED -> WorkflowStepStatus.CANCELED
                    else -> null
                }
                if (step != null && status != null) put(step, status)
            }
        }

    /** If the run was deleted, the job has no step any more and may continue. */
    private fun isRefused(verdict: Verdict, step: LockedStep?) = verdict is Verdict.Continue && step?.mayContinue == false

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
