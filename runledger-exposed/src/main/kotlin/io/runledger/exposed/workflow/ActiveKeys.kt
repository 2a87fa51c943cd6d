package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.Disposition
import io.runledger.model.state.EnqueuedWorkflow
import io.runledger.model.state.WorkflowRun
import io.runledger.model.state.WorkflowRunStatus
import org.postgresql.util.PSQLException
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/** At most one live run per active key of an organization. */
internal class ActiveKeys(private val context: LedgerContext) {
    private val intake = EnqueueRuns(context)

    fun enqueueUnlessActive(request: WorkflowRequest): EnqueuedWorkflow {
        if (request.activeKey() == null) {
            throw ErrorCode.ACTIVE_KEY_REQUIRED.exception(
                "Workflow ${Text.quoted(request.type())} has no active key: give it one, or start it with enqueue.",
            )
        }
        val run = PlannedRun.of(request, context)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.WORKFLOW_IDEMPOTENCY_ISOLATION)
            // The holder of a key may end, and give it back, between being in the way and being looked for.
            generateSequence { startOrFind(connection, run) }.take(TRIES).firstOrNull { it !== vanished }
                ?: throw ErrorCode.RELEASE_CONFLICT.exception("The active key changes hands all the time: try again.")
        }
    }

    fun release(limit: Int): List<UUID> {
        requireLimit(limit)
        return context.transactions.statement { connection ->
            connection.rows(context.statements["active_release"], { int(limit) }) { uuid("workflow_run_id") }
        }
    }

    /** Gives [run] its key back; false when another run holds it now. */
    fun take(connection: Connection, run: UUID, organizationId: UUID?, key: String): Boolean = connection.row(
        context.statements["active_take"],
        {
            uuid(run)
            text(scopeOf(organizationId))
            text(key)
        },
    ) { uuid("workflow_run_id") } != null

    private fun startOrFind(connection: Connection, run: PlannedRun): EnqueuedWorkflow = idempotent(connection, run)
        ?: start(connection, run)
        ?: idempotent(connection, run)
        ?: holder(connection, run.request)
        ?: vanished

    private fun idempotent(connection: Connection, run: PlannedRun): EnqueuedWorkflow? =
        if (run.request.idempotencyKey() == null) null else intake.existing(connection, listOf(run))[run.id]

    private fun start(connection: Connection, run: PlannedRun): EnqueuedWorkflow? {
        val savepoint = connection.setSavepoint()
        val inserted = try {
            intake.insert(connection, listOf(run))
        } catch (failure: SQLException) {
            // Its idempotency key was taken at the same moment by a run with another active key.
            if ((failure as? PSQLException)?.serverErrorMessage?.constraint != KEY_WITHOUT_RUN) throw failure
            connection.rollback(savepoint)
            return null
        }
        connection.releaseSavepoint(savepoint)
        return if (inserted.isEmpty()) null else EnqueuedWorkflow(run.id, Disposition.INSERTED, run.status)
    }

    private fun holder(connection: Connection, request: WorkflowRequest): EnqueuedWorkflow? = connection.row(
        context.statements["active_find"],
        {
            text(scopeOf(request.organizationId()))
            text(request.activeKey())
        },
    ) { EnqueuedWorkflow(uuid("id"), Disposition.ACTIVE, wire("status")) }

    companion object {
        private const val TRIES = 10
        private const val KEY_WITHOUT_RUN = "fk_workflow_active_claims_run"
        private val vanished = EnqueuedWorkflow(UUID(0, 0), Disposition.ACTIVE, WorkflowRunStatus.CANCELED)

        /** Where an active key is unique. */
        fun scopeOf(organizationId: UUID?): String = if (organizationId == null) "global" else "organization:$organizationId"
    }
}

/** The active key the run was started with, whether or not it still holds it. */
internal fun WorkflowRun.activeKey(): String? = enqueueRequest()?.let { plainMap(it)["active_key"] as String? }
