package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.history.RunEventType
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Events of whole runs that no other row records: pauses and resumes. */
public class WorkflowRunJournalTable internal constructor(schema: SchemaName) : LedgerTable(schema, "workflow_run_journal") {
    public val workflowRunId: Column<UUID> = javaUUID("workflow_run_id")
    public val id: Column<Long> = long("id").databaseGenerated()
    public val occurredAt: Column<Instant> = timestamptz("occurred_at").databaseGenerated()
    public val eventType: Column<RunEventType> = wireText("event_type")
    public val reason: Column<String?> = text("reason").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(workflowRunId, id, name = "workflow_run_journal_pkey")
}
