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
 * The steps of the runs, jobs and gates, as they stand. Once the job of a step exists, its row tells how far the step has come.
 * This is a view: it cannot be written.
 */
public class WorkflowStepsView internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_steps") {
    public val id: Column<UUID> = javaUUID("id")
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val jobId: Column<UUID?> = javaUUID("job_id").nullable()
    public val releasedAt: Column<Instant?> = timestamptz("released_at").nullable()
    public val startedAt: Column<Instant?> = timestamptz("started_at").nullable()
    public val finishedAt: Column<Instant?> = timestamptz("finished_at").nullable()
    public val expiresAt: Column<Instant?> = timestamptz("expires_at").nullable()
    public val createdAt: Column<Instant> = timestamptz("created_at")
    public val updatedAt: Column<Instant> = timestamptz("updated_at")
    public val ordinal: Column<Int> = integer("ordinal")
    public val executionKind: Column<StepKind> = wireEnum<StepKind>(
        "execution_kind",
        "workflow_step_execution_kind",
    )
    public val status: Column<WorkflowStepStatus> = wireEnum<WorkflowStepStatus>(
        "status",
        "workflow_step_status",
    )
    public val dependencyCountTotal: Column<Int> = integer("dependency_count_total")
    public val dependencyCountPending: Column<Int> = integer("dependency_count_pending")
    public val dependencyCountUnsatisfied: Column<Int> = integer("dependency_count_unsatisfied")
    public val priority: Column<Int?> = integer("priority").nullable()
    public val maxAttempts: Column<Int?> = integer("max_attempts").nullable()
    public val timeoutSeconds: Column<Int?> = integer("timeout_seconds").nullable()
    public val delaySeconds: Column<Int?> = integer("delay_seconds").nullable()
    public val expiresAfterSeconds: Column<Int?> = integer("expires_after_seconds").nullable()
    public val allowHandlerContinuation: Column<Boolean> = bool("allow_handler_continuation")
    public val isOpenGate: Column<Boolean> = bool("is_open_gate")
    public val stepKey: Column<String> = text("step_key")
    public val jobType: Column<String?> = text("job_type").nullable()
    public val stage: Column<String?> = text("stage").nullable()
    public val expiryOutcome: Column<GateExpiry?> = wireText<GateExpiry>("expiry_outcome").nullable()
    public val statusReason: Column<String?> = text("status_reason").nullable()
    public val lastErrorCode: Column<String?> = text("last_error_code").nullable()
    public val lastErrorMessage: Column<String?> = text("last_error_message").nullable()
    public val payload: Column<Json> = jsonb("payload")
    public val output: Column<Json?> = jsonb("output").nullable()
    public val retryPolicy: Column<Json?> = jsonb("retry_policy").nullable()
    public val condition: Column<Json?> = jsonb("condition").nullable()
    public val headers: Column<Json?> = jsonb("headers").nullable()
}
