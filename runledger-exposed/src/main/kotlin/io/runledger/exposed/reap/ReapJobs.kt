package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireDelay
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.workflow.AdvanceRuns
import io.runledger.exposed.workflow.LockRuns
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Lease
import io.runledger.model.lease.ReapedJob
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.ResultSet
import java.time.Duration
import java.util.UUID

/** Ends attempts of lost workers: one check, three statements for jobs outside workflows, a few more for steps. */
internal class ReapJobs(private val context: LedgerContext) {
    private val runs = LockRuns(context)
    private val advance = AdvanceRuns(context)
    private val expired = EndExpired(context)

    fun reap(limit: Int, retryDelay: Duration): List<ReapedJob> {
        requireLimit(limit)
        requireDelay(retryDelay, Duration.ofMillis(1), ErrorCode.INVALID_RETRY_DELAY)
        val pass = ReapPass(context, retryDelay)
        val found = look()
        val own = if (!found.jobs) {
            emptyList()
        } else {
            pass.reap(limit, isStep = false) { most, only ->
                context.transactions.runBriefly(waitFor(only)) {
                    expired.end(it, most, retryDelay, isStep = false, only?.let(::setOf))
                }
            }
        }
        val steps = if (!found.steps || own.size == limit) {
            emptyList()
        } else {
            pass.reap(limit - own.size, isStep = true) { most, only -> reapSteps(most, retryDelay, only) }
        }
        return (own + steps).ifEmpty { pass.emptyOrRefusal() }
    }

    /** Most passes find no expired lease, so one cheap statement runs first. */
    private fun look(): Found = checkNotNull(
        context.transactions.statement { connection ->
            connection.row(context.statements["reap/reap_look"]) { Found(getBoolean("jobs"), getBoolean("steps")) }
        },
    )

    /** Locks the runs first, then the jobs. A run that another session holds is left to the next pass. */
    private fun reapSteps(limit: Int, retryDelay: Duration, only: UUID?): List<ReapedJob> {
        val jobs = only?.let(::listOf) ?: context.transactions.statement { context.expiredJobs(it, limit, isStep = true) }
        if (jobs.isEmpty()) return emptyList()
        return context.transactions.runBriefly(waitFor(only)) { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.COMPLETION_ISOLATION)
            val held = runs.lockFree(connection, jobs)
            val orphans = runs.withoutStep(connection, jobs - held.keys)
            val reaped = expired.end(connection, limit, retryDelay, isStep = true, held.keys + orphans)
            val failed = reaped.filter { it.result() == ReapedJob.Result.DEAD_LETTERED }.mapNotNull { held[it.lease().jobId()] }
            advance.afterJobs(connection, failed.associateWith { WorkflowStepStatus.FAILED })
            reaped
        }
    }

    private fun waitFor(only: UUID?) = if (only == null) LockWait.TOGETHER else LockWait.ONE_BY_ONE

    private class Found(val jobs: Boolean, val steps: Boolean)
}

// The attempt has ended, so it is reported even if its lease id was removed by hand.

/** A row that was changed by hand can have no worker and no lease id. */
internal fun ResultSet.reapedJob(result: ReapedJob.Result, refusal: RunledgerException? = null) = ReapedJob(
    Lease(
        uuid("id"),
        getInt("run_number"),
        getInt("attempt"),
        getString("worker_id").orEmpty(),
        uuidOrNull("lease_id") ?: UUID(0, 0),
    ),
    getString("job_type"),
    uuidOrNull("organization_id"),
    result,
    instantOrNull("due_at"),
    refusal,
)
