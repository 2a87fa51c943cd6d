package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowStepStatus
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/**
 * The steps of the runs as declared, and the own state of gates and of steps without a job. The view `workflow_steps` shows every
 * step as it stands.
 */
public class WorkflowStepRowsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_step_rows") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val jobId: Column<UUID?> = javaUUID("job_id").nullable()
    public val releasedAt: Column<Instant?> = timestamptz("released_at").nullable()
    public val finishedAt: Column<Instant?> = timestamptz("finished_at").nullable()
    public val expiresAt: Column<Instant?> = timestamptz("expires_at").nullable()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val ordinal: Column<Int> = integer("ordinal")
    public val executionKind: Column<StepKind> = wireEnum<StepKind>(
        "execution_kind",
        "workflow_step_execution_kind",
    ).databaseGenerated()
    public val status: Column<WorkflowStepStatus> = wireEnum<WorkflowStepStatus>(
        "status",
        "workflow_step_status",
    ).databaseGenerated()
    public val dependencyCountTotal: Column<Int> = integer("dependency_count_total").databaseGenerated()
    public val dependencyCountPending: Column<Int> = integer("dependency_count_pending").databaseGenerated()
    public val dependencyCountUnsatisfied: Column<Int> = integer("dependency_count_unsatisfied").databaseGenerated()
    public val priority: Column<Int?> = integer("priority").nullable()
    public val maxAttempts: Column<Int?> = integer("max_attempts").nullable()
    public val timeoutSeconds: Column<Int?> = integer("timeout_seconds").nullable()
    public val delaySeconds: Column<Int?> = integer("delay_seconds").nullable()
    public val expiresAfterSeconds: Column<Int?> = integer("expires_after_seconds").nullable()
    public val allowHandlerContinuation: Column<Boolean> = bool("allow_handler_continuation").databaseGenerated()
    public val isOpenGate: Column<Boolean> = bool("is_open_gate").databaseGenerated()
    public val stepKey: Column<String> = text("step_key")
    public val jobType: Column<String?> = text("job_type").nullable()
    public val stage: Column<String?> = text("stage").nullable()
    public val expiryOutcome: Column<GateExpiry?> = wireText<GateExpiry>("expiry_outcome").nullable()
    public val statusReason: Column<String?> = text("status_reason").nullable()
    public val lastErrorCode: Column<String?> = text("last_error_code").nullable()
    public val lastErrorMessage: Column<String?> = text("last_error_message").nullable()
    public val payload: Column<Json> = jsonb("payload").databaseGenerated()
    public val output: Column<Json?> = jsonb("output").nullable()
    public val retryPolicy: Column<Json?> = jsonb("retry_policy").nullable()
    public val condition: Column<Json?> = jsonb("condition").nullable()
    public val headers: Column<Json?> = jsonb("headers").nullable()
    public val flow: Column<Json?> = jsonb("flow").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "workflow_steps_pkey")

    init {
        index("idx_workflow_steps_expiring_gates", isUnique = false, expiresAt)
        index("idx_workflow_steps_open_gates", isUnique = false, releasedAt, id)
        uniqueIndex("uq_workflow_steps_job_id", jobId)
        uniqueIndex("uq_workflow_steps_run_step_key", workflowRunId, stepKey)
    }
}
