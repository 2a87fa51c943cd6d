package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.history.StepEventType
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/**
 * Step events that no other row records: edits, resets, and the values that a reset overwrote. The view `workflow_step_events`
 * has the complete history.
 */
public class WorkflowStepJournalTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_step_journal") {
    public val id: Column<Long> = long("id").databaseGenerated()
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val stepId: Column<UUID> = javaUUID("step_id")
    public val occurredAt: Column<Instant> = timestamptz("occurred_at").databaseGenerated()
    public val eventType: Column<StepEventType> = wireEnum<StepEventType>("event_type", "workflow_step_event_type")
    public val payload: Column<Json> = jsonb("payload").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "workflow_step_journal_pkey")

    init {
        index("idx_workflow_step_journal_step", isUnique = false, workflowRunId, stepId, id)
    }
}
