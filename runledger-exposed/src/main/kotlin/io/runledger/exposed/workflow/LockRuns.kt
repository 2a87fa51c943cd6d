package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.WorkflowRun
import java.sql.Connection
import java.sql.ResultSet
import java.sql.SQLException
import java.time.Duration
import java.util.UUID

/**
 * Locks the rows of runs. Every change of a run begins with this lock. The lock order is runs by id, then jobs, then steps. So
 * changes of one run are serialized, and transactions cannot deadlock.
 */
internal class LockRuns(private val context: LedgerContext) {
    private val lockFree get() = context.statements["workflow/run_lock_jobs"] + " SKIP LOCKED"

    /** Locks and returns the run [id]; null if it is not in [scope]. */
    fun lock(connection: Connection, scope: Scope, id: UUID): WorkflowRun? = connection.row(
        context.statements.scoped("workflow/run_lock", scope),
        {
            uuid("run_id", id)
            scope(scope)
        },
    ) { workflowRun() }

    /** Locks the runs that [jobs] belong to. Returns the jobs that have a step, each with the settings of its step. */
    fun lockFor(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> =
        lock(connection, jobs, context.statements["workflow/run_lock_jobs"])

    /** As [lockFor], but only for those of [jobs] that are in [scope]. */
    fun lockFor(connection: Connection, scope: Scope, jobs: Collection<UUID>): Map<UUID, LockedStep> = connection.rows(
        context.statements.scoped("workflow/run_lock_own_jobs", scope),
        {
            uuids("job_ids", jobs.toList())
            scope(scope)
        },
    ) { lockedStep() }.toMap()

    /** As [lockFor], but waits at most [patience]: a run that is locked for long must not delay the settlement of other runs. */
    fun lockPatiently(connection: Connection, jobs: Collection<UUID>, patience: Duration): Map<UUID, LockedStep> {
        val given = limitLockTimeout(connection, patience)
        val locked = try {
            lockFor(connection, jobs)
        } catch (failure: SQLException) {
            if (failure.sqlState != LOCK_TIMEOUT) throw failure
            throw ErrorCode.RELEASE_CONFLICT.exception("Another transaction holds the lock on the run: try again.", null, failure)
        }
        connection.row("SELECT set_config('lock_timeout', :lock_timeout, true)", { text("lock_timeout", given) }) { getString(1) }
        return locked
    }

    /** Lowers the lock timeout for the rest of the transaction and returns the previous value. A rollback restores it. */
    private fun limitLockTimeout(connection: Connection, patience: Duration): String = checkNotNull(
        connection.row(
            LIMIT_LOCK_TIMEOUT,
            {
                text("lock_timeout", "${patience.toMillis()}ms")
            },
        ) { getString("given") },
    )

    /** As [lockFor], but skips the runs that another session has locked. */
    fun lockFree(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> = lock(connection, jobs, lockFree)

    /** As [lockFree], with a cached plan, for transactions whose statements take longer to plan than to run. */
    fun lockFreeByKeptPlan(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> =
        context.rowsByKeptPlan(connection, lockFree, { uuids("job_ids", jobs.toList()) }) { lockedStep() }.toMap()

    /** Those of [jobs] that no longer have a step, because their run was deleted. */
    fun withoutStep(connection: Connection, jobs: Collection<UUID>): List<UUID> = if (jobs.isEmpty()) {
        emptyList()
    } else {
        connection.rows(context.statements["workflow/jobs_without_step"], { uuids("job_ids", jobs.toList()) }) { uuid("id") }
    }

    private fun lock(connection: Connection, jobs: Collection<UUID>, statement: String): Map<UUID, LockedStep> =
        connection.rows(statement, { uuids("job_ids", jobs.toList()) }) { lockedStep() }.toMap()

    private fun ResultSet.lockedStep() = uuid("job_id") to
        LockedStep(uuid("run_id"), uuid("step_id"), getBoolean("allow_handler_continuation"), wire("context_merge"))

    private companion object {
        const val LIMIT_LOCK_TIMEOUT = """
            SELECT t.given, set_config(
                'lock_timeout',
                CASE WHEN t.given::interval BETWEEN '1 ms' AND :lock_timeout::interval THEN t.given ELSE :lock_timeout END,
                true
            )
            FROM (SELECT current_setting('lock_timeout') AS given OFFSET 0) t
        """
        const val LOCK_TIMEOUT = "55P03"
    }
}

/** A step whose run is locked, with what its settlement needs to know. */
internal class LockedStep(val runId: UUID, val stepId: UUID, val mayContinue: Boolean, val contextMerge: ContextMerge)
