package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The log lines of handlers. */
public class JobLogsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_logs") {
    public val id: Column<Long> = long("id").databaseGenerated()
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val occurredAt: Column<Instant> = timestamptz("occurred_at").databaseGenerated()
    public val runNumber: Column<Int> = integer("run_number").databaseGenerated()
    public val attempt: Column<Int?> = integer("attempt").nullable()
    public val lineNumber: Column<Int> = integer("line_number").databaseGenerated()
    public val level: Column<String> = text("level")
    public val message: Column<String> = text("message")
    public val payload: Column<Json> = jsonb("payload").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "job_logs_pkey")

    init {
        index("idx_job_logs_job", isUnique = false, jobId, id)
    }
}
