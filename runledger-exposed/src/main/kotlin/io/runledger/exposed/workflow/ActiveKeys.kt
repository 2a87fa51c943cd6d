package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Disposition
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.text.Text
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus
import org.postgresql.util.PSQLException
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID

/** At most one live run per active key of an organization. */
internal class ActiveKeys(private val context: LedgerContext) {
    private val intake = EnqueueRuns(context)
    private val actions = RecordActions(context)

    fun enqueueUnlessActive(request: WorkflowRequest): EnqueuedWorkflow {
        if (request.activeKey() == null) {
            throw ErrorCode.ACTIVE_KEY_REQUIRED.exception(
                "Workflow ${Text.quoted(request.type())} has no active key: give it one, or start it with enqueue.",
            )
        }
        val run = PlannedRun.enqueued(request, context)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.WORKFLOW_IDEMPOTENCY_ISOLATION)
            // The run that holds the key may end and release it after the insert failed and before the run is looked up.
            started(actions, connection, listOf(request)) { listOf(startOrFind(connection, run, TRIES)) }.single()
        }
    }

    fun release(limit: Int): List<UUID> {
        requireLimit(limit)
        return context.transactions.statement { connection ->
            connection.rows(context.statements["workflow/active_release"], { int("limit", limit) }) { uuid("workflow_run_id") }
        }
    }

    /** Gives [run] its active key back. Returns false if another run holds the key. */
    fun take(connection: Connection, run: UUID, organizationId: UUID?, key: String): Boolean = connection.row(
        context.statements["workflow/active_take"],
        {
            uuid("run_id", run)
            text("scope", scopeOf(organizationId))
            text("active_key", key)
        },
    ) { uuid("workflow_run_id") } != null

    private fun startOrFind(connection: Connection, run: PlannedRun, tries: Int): EnqueuedWorkflow =
        generateSequence { startOrFind(connection, run) }.take(tries).firstOrNull { it !== vanished }
            ?: throw ErrorCode.RELEASE_CONFLICT.exception(
                "The active key of workflow ${Text.quoted(run.request.type())} was taken and released " +
                    "$tries times during the call: try again.",
            )

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
            // A run with another active key took the idempotency key at the same time.
            if ((failure as? PSQLException)?.serverErrorMessage?.constraint != KEY_WITHOUT_RUN) throw failure
            connection.rollback(savepoint)
            return null
        }
        connection.releaseSavepoint(savepoint)
        return if (inserted.isEmpty()) null else EnqueuedWorkflow(run.id, Disposition.INSERTED, run.status)
    }

    private fun holder(connection: Connection, request: WorkflowRequest): EnqueuedWorkflow? = connection.row(
        context.statements["workflow/active_find"],
        {
            text("scope", scopeOf(request.organizationId()))
            text("active_key", request.activeKey())
        },
    ) { EnqueuedWorkflow(uuid("id"), Disposition.ACTIVE, wire("status")) }

    companion object {
        private const val TRIES = 10
        private const val KEY_WITHOUT_RUN = "fk_workflow_active_claims_run"
        private val vanished = EnqueuedWorkflow(UUID(0, 0), Disposition.ACTIVE, WorkflowRunStatus.CANCELED)

        /** The scope in which an active key is unique. */
        fun scopeOf(organizationId: UUID?): String = if (organizationId == null) "global" else "organization:$organizationId"
    }
}

/** The active key that the run was started with, even if the run no longer holds it. */
internal fun WorkflowRun.activeKey(): String? = enqueueRequest()?.let { plainMap(it)["active_key"] as String? }
