package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.RetryTimingSource
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** One row per ended attempt, written once, when it ends. The open attempt is in the job's own row. */
public class JobAttemptsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_attempts") {
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val leasedAt: Column<Instant> = timestamptz("leased_at")
    public val startedAt: Column<Instant> = timestamptz("started_at")
    public val finishedAt: Column<Instant> = timestamptz("finished_at")
    public val executionStartedPersistedAt: Column<Instant?> = timestamptz("execution_started_persisted_at").nullable()
    public val lastHeartbeatAt: Column<Instant?> = timestamptz("last_heartbeat_at").nullable()
    public val requestedRetryNotBefore: Column<Instant?> = timestamptz("requested_retry_not_before").nullable()
    public val effectiveNextRunAt: Column<Instant?> = timestamptz("effective_next_run_at").nullable()
    public val runNumber: Column<Int> = integer("run_number")
    public val attempt: Column<Int> = integer("attempt")
    public val leaseSeconds: Column<Int> = integer("lease_seconds")
    public val retryDelayMs: Column<Int?> = integer("retry_delay_ms").nullable()
    public val outcome: Column<AttemptOutcome> = wireEnum<AttemptOutcome>("outcome", "job_failure_kind")
    public val workerId: Column<String> = text("worker_id")
    public val claimOrigin: Column<ClaimOrigin> = wireText<ClaimOrigin>("claim_origin").databaseGenerated()
    public val retryTimingSource: Column<RetryTimingSource?> = wireText<RetryTimingSource>("retry_timing_source").nullable()
    public val errorCode: Column<String?> = text("error_code").nullable()
    public val errorMessage: Column<String?> = text("error_message").nullable()
    public val errorDetails: Column<Json?> = jsonb("error_details").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(jobId, runNumber, attempt, name = "job_attempts_pkey")

    init {
        index("idx_job_attempts_finished", isUnique = false, finishedAt)
    }
}
