package io.runledger.exposed.schema

import io.runledger.model.state.RunEventType
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** What happened to runs as a whole and stands in no other row: pauses and resumes. */
public class WorkflowRunJournalTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_run_journal") {
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val id: Column<Long> = long("id").databaseGenerated()
    public val occurredAt: Column<Instant> = timestamptz("occurred_at").databaseGenerated()
    public val eventType: Column<RunEventType> = wireText("event_type")
    public val reason: Column<String?> = text("reason").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(workflowRunId, id, name = "workflow_run_journal_pkey")
}
