package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The outcome of each scheduled instant, and changes to the schedule. The key ensures that an instant fires once. */
public class JobScheduleFiresTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_schedule_fires") {
    public val scheduleId: Column<UUID> = javaUUID("schedule_id")
    public val jobId: Column<UUID?> = javaUUID("job_id").nullable()
    public val runId: Column<UUID?> = javaUUID("run_id").nullable()
    public val scheduledFor: Column<Instant> = timestamptz("scheduled_for")
    public val firedAt: Column<Instant> = timestamptz("fired_at").databaseGenerated()
    public val times: Column<Int> = integer("times").databaseGenerated()
    public val cause: Column<FireCause> = wireText<FireCause>("cause").databaseGenerated()
    public val outcome: Column<FireOutcome> = wireText<FireOutcome>("outcome")
    public val dedupKey: Column<String> = text("dedup_key").databaseGenerated()
    public val errorCode: Column<String?> = text("error_code").nullable()
    public val reason: Column<String?> = text("reason").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(scheduleId, scheduledFor, cause, dedupKey, name = "job_schedule_fires_pkey")

    init {
        index("idx_job_schedule_fires_job", isUnique = false, jobId)
        index("idx_job_schedule_fires_run", isUnique = false, runId)
        uniqueIndex("uq_job_schedule_fires_dedup", scheduleId, dedupKey)
    }
}
