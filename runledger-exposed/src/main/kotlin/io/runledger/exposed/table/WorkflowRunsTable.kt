package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.WorkflowRunStatus
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** One row per workflow run. Every change of a run locks this row first. */
public class WorkflowRunsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_runs") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val startedAt: Column<Instant> = timestamptz("started_at").databaseGenerated()
    public val finishedAt: Column<Instant?> = timestamptz("finished_at").nullable()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val pausedAt: Column<Instant?> = timestamptz("paused_at").nullable()
    public val status: Column<WorkflowRunStatus> = wireEnum<WorkflowRunStatus>(
        "status",
        "workflow_run_status",
    ).databaseGenerated()
    public val openSteps: Column<Int> = integer("open_steps").databaseGenerated()
    public val activeSteps: Column<Int> = integer("active_steps").databaseGenerated()
    public val waitingSteps: Column<Int> = integer("waiting_steps").databaseGenerated()
    public val errorSteps: Column<Int> = integer("error_steps").databaseGenerated()
    public val workflowType: Column<String> = text("workflow_type")
    public val idempotencyKey: Column<String?> = text("idempotency_key").nullable()
    public val resultStepKey: Column<String?> = text("result_step_key").nullable()
    public val statusReason: Column<String?> = text("status_reason").nullable()
    public val pauseReason: Column<String?> = text("pause_reason").nullable()
    public val contextMerge: Column<ContextMerge> = wireText<ContextMerge>("context_merge").databaseGenerated()
    public val metadata: Column<Json> = jsonb("metadata").databaseGenerated()
    public val context: Column<Json> = jsonb("context").databaseGenerated()
    public val enqueueRequest: Column<Json?> = jsonb("enqueue_request").nullable()
    public val result: Column<Json?> = jsonb("result").nullable()
    public val headers: Column<Json?> = jsonb("headers").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "workflow_runs_pkey")

    init {
        index("idx_workflow_runs_ended", isUnique = false, status, finishedAt, id)
        index("idx_workflow_runs_live", isUnique = false, workflowType, id)
        index("idx_workflow_runs_type", isUnique = false, workflowType, id)
        index("idx_workflow_runs_organization", isUnique = false, organizationId, id)
        uniqueIndex("uq_workflow_runs_type_idempotency", idempotencyKey, workflowType, organizationId)
    }
}
