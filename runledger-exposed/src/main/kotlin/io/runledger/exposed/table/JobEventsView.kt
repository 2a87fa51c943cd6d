package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.history.JobEventType
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The complete history of every job, in order. Filter by job_id. */
public class JobEventsView internal constructor(schema: SchemaName) : LedgerTable(schema, "job_events") {
    public val id: Column<Long> = long("id")
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val runNumber: Column<Int> = integer("run_number")
    public val attempt: Column<Int?> = integer("attempt").nullable()
    public val eventType: Column<JobEventType> = wireEnum<JobEventType>("event_type", "job_event_type")
    public val stage: Column<String?> = text("stage").nullable()
    public val progressDone: Column<Long?> = long("progress_done").nullable()
    public val progressTotal: Column<Long?> = long("progress_total").nullable()
    public val payload: Column<Json> = jsonb("payload")
    public val occurredAt: Column<Instant> = timestamptz("occurred_at")
}
