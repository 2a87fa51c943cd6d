package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Links each replay to the succeeded job it repeats, with its request. */
public class JobReplaysTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_replays") {
    public val replayJobId: Column<UUID> = javaUUID("replay_job_id")
    public val sourceJobId: Column<UUID> = javaUUID("source_job_id")
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val sourceRunNumber: Column<Int> = integer("source_run_number")
    public val replayRequestKey: Column<String> = text("replay_request_key")
    public val reason: Column<String> = text("reason")

    override val primaryKey: PrimaryKey = PrimaryKey(replayJobId, name = "job_replays_pkey")

    init {
        uniqueIndex("uq_job_replays_source_request", sourceJobId, sourceRunNumber, replayRequestKey)
    }
}
