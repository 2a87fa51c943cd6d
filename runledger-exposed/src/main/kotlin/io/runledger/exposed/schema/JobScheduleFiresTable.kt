package io.runledger.exposed.schema

import io.runledger.model.state.FireOutcome
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** What became of each scheduled instant; the key makes a fire happen once. */
public class JobScheduleFiresTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_schedule_fires") {
    public val scheduleId: Column<UUID> = javaUUID("schedule_id")
    public val jobId: Column<UUID?> = javaUUID("job_id").nullable()
    public val scheduledFor: Column<Instant> = timestamptz("scheduled_for")
    public val firedAt: Column<Instant> = timestamptz("fired_at").databaseGenerated()
    public val outcome: Column<FireOutcome> = wireText<FireOutcome>("outcome")

    override val primaryKey: PrimaryKey = PrimaryKey(scheduleId, scheduledFor, name = "job_schedule_fires_pkey")

    init {
        index("idx_job_schedule_fires_job", isUnique = false, jobId)
    }
}
