package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.history.JobEventType
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Job events that no other row records. The view `job_events` has the complete history. */
public class JobJournalTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_journal") {
    public val id: Column<Long> = long("id").databaseGenerated()
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val occurredAt: Column<Instant> = timestamptz("occurred_at").databaseGenerated()
    public val progressDone: Column<Long?> = long("progress_done").nullable()
    public val progressTotal: Column<Long?> = long("progress_total").nullable()
    public val runNumber: Column<Int> = integer("run_number").databaseGenerated()
    public val attempt: Column<Int?> = integer("attempt").nullable()
    public val eventType: Column<JobEventType> = wireEnum<JobEventType>("event_type", "job_event_type")
    public val stage: Column<String?> = text("stage").nullable()
    public val payload: Column<Json> = jsonb("payload").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "job_journal_pkey")

    init {
        index("idx_job_journal_job", isUnique = false, jobId, id)
        // After the action in the payload.
        index("idx_job_journal_action", isUnique = false, id)
    }
}
