package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** One row per dead letter. A requeued job that becomes a dead letter again gets a second row. */
public class JobDeadLettersTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_dead_letters") {
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val failedAt: Column<Instant> = timestamptz("failed_at")
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val runNumber: Column<Int> = integer("run_number").databaseGenerated()
    public val attempt: Column<Int> = integer("attempt")
    public val kind: Column<AttemptOutcome> = wireEnum<AttemptOutcome>("kind", "job_failure_kind")
    public val jobType: Column<String> = text("job_type")
    public val reason: Column<DeadLetterReason> = wireText<DeadLetterReason>("reason")
    public val errorCode: Column<String?> = text("error_code").nullable()
    public val errorMessage: Column<String?> = text("error_message").nullable()
    public val payloadSnapshot: Column<Json> = jsonb("payload_snapshot")
    public val checkpointSnapshot: Column<Json?> = jsonb("checkpoint_snapshot").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(jobId, runNumber, name = "job_dead_letters_pkey")
}
