package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.history.StepEventType
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The complete history of the steps of every run, in order. Filter by workflow_run_id. */
public class WorkflowStepEventsView internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_step_events") {
    public val id: Column<Long> = long("id")
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val stepId: Column<UUID> = javaUUID("step_id")
    public val stepKey: Column<String> = text("step_key")
    public val eventType: Column<StepEventType> = wireEnum<StepEventType>("event_type", "workflow_step_event_type")
    public val payload: Column<Json> = jsonb("payload")
    public val occurredAt: Column<Instant> = timestamptz("occurred_at")
}
