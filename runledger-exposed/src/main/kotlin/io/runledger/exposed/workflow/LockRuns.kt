package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.ContextMerge
import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.sql.Connection
import java.sql.ResultSet
import java.sql.SQLException
import java.time.Duration
import java.util.UUID

/**
 * Every change of a run begins by locking its row, several runs in id order; jobs come after runs and steps after jobs. So
 * changes of one run happen one after the other, and no two transactions can wait for each other in a circle.
 */
internal class LockRuns(private val context: LedgerContext) {
    private val lockFree get() = context.statements["run_lock_jobs"] + " SKIP LOCKED"

    /** The run [id], locked; null when it is not in [scope]. */
    fun lock(connection: Connection, scope: Scope, id: UUID): WorkflowRun? = connection.row(
        context.statements.scoped("run_lock", scope),
        {
            uuid(id)
            scope(scope)
        },
    ) { workflowRun() }

    /** Locks the runs of [jobs]' steps. Answers with the jobs that have a step, each with what the step allows. */
    fun lockFor(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> =
        lock(connection, jobs, context.statements["run_lock_jobs"])

    /** As [lockFor], for those of [jobs] that lie in [scope]. */
    fun lockFor(connection: Connection, scope: Scope, jobs: Collection<UUID>): Map<UUID, LockedStep> = connection.rows(
        context.statements.scoped("run_lock_own_jobs", scope),
        {
            uuids(jobs.toList())
            scope(scope)
        },
    ) { lockedStep() }.toMap()

    /** As [lockFor], but waits for [patience] at most: a run that is held for long must not hold up the settlements of others. */
    fun lockPatiently(connection: Connection, jobs: Collection<UUID>, patience: Duration): Map<UUID, LockedStep> {
        val given = limitLockTimeout(connection, patience)
        val locked = try {
            lockFor(connection, jobs)
        } catch (failure: SQLException) {
            if (failure.sqlState != LOCK_TIMEOUT) throw failure
            throw ErrorCode.RELEASE_CONFLICT.exception("Another transaction holds the run: try again.", null, failure)
        }
        connection.row("SELECT set_config('lock_timeout', ?, true)", { text(given) }) { getString(1) }
        return locked
    }

    /** For the rest of the transaction, unless it is shorter already; answers with what it was. A refusal takes it back. */
    private fun limitLockTimeout(connection: Connection, patience: Duration): String = checkNotNull(
        connection.row(
            LIMIT_LOCK_TIMEOUT,
            {
                text("${patience.toMillis()} ms")
                text("${patience.toMillis()}ms")
            },
        ) { getString("given") },
    )

    /** As [lockFor], but leaves out the runs that somebody else holds. */
    fun lockFree(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> = lock(connection, jobs, lockFree)

    /** As [lockFree], in a transaction whose statements take longer to plan than to run: their plans are kept. */
    fun lockFreeByKeptPlan(connection: Connection, jobs: Collection<UUID>): Map<UUID, LockedStep> =
        context.rowsByKeptPlan(connection, lockFree, { uuids(jobs.toList()) }) { lockedStep() }.toMap()

    /** Those of [jobs] that have no step any more, because their run was deleted. */
    fun withoutStep(connection: Connection, jobs: Collection<UUID>): List<UUID> = if (jobs.isEmpty()) {
        emptyList()
    } else {
        connection.rows(context.statements["jobs_without_step"], { uuids(jobs.toList()) }) { uuid("id") }
    }

    private fun lock(connection: Connection, jobs: Collection<UUID>, statement: String): Map<UUID, LockedStep> =
        connection.rows(statement, { uuids(jobs.toList()) }) { lockedStep() }.toMap()

    private fun ResultSet.lockedStep() = uuid("job_id") to
        LockedStep(uuid("run_id"), getBoolean("allow_handler_continuation"), wire("context_merge"))

    private companion object {
        const val LIMIT_LOCK_TIMEOUT = """
            SELECT t.given, set_config(
                'lock_timeout', CASE WHEN t.given::interval BETWEEN '1 ms' AND ?::interval THEN t.given ELSE ? END, true
            )
            FROM (SELECT current_setting('lock_timeout') AS given OFFSET 0) t
        """
        const val LOCK_TIMEOUT = "55P03"
    }
}

internal class LockedStep(val runId: UUID, val mayContinue: Boolean, val contextMerge: ContextMerge)
