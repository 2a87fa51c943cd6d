package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.math.BigDecimal
import java.time.Instant
import java.util.UUID

/** One row per job, live or ended. While a job is LEASED, its row is the open attempt: worker, lease, start. */
public class JobQueueTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_queue") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val leaseId: Column<UUID?> = javaUUID("lease_id").nullable()
    public val nextRunAt: Column<Instant> = timestamptz("next_run_at").databaseGenerated()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val startedAt: Column<Instant?> = timestamptz("started_at").nullable()
    public val leasedAt: Column<Instant?> = timestamptz("leased_at").nullable()
    public val leaseExpiresAt: Column<Instant?> = timestamptz("lease_expires_at").nullable()
    public val lastHeartbeatAt: Column<Instant?> = timestamptz("last_heartbeat_at").nullable()
    public val executionStartedPersistedAt: Column<Instant?> = timestamptz("execution_started_persisted_at").nullable()
    public val finishedAt: Column<Instant?> = timestamptz("finished_at").nullable()
    public val progressDone: Column<Long?> = long("progress_done").nullable()
    public val progressTotal: Column<Long?> = long("progress_total").nullable()
    public val status: Column<JobStatus> = wireEnum<JobStatus>("status", "job_status").databaseGenerated()
    public val priority: Column<Int> = integer("priority").databaseGenerated()
    public val runNumber: Column<Int> = integer("run_number").databaseGenerated()
    public val attempt: Column<Int> = integer("attempt").databaseGenerated()
    public val interruptions: Column<Int> = integer("interruptions").databaseGenerated()
    public val maxAttempts: Column<Int> = integer("max_attempts")
    public val timeoutSeconds: Column<Int> = integer("timeout_seconds").databaseGenerated()
    public val leaseSeconds: Column<Int?> = integer("lease_seconds").nullable()
    public val isStep: Column<Boolean> = bool("is_step").databaseGenerated()
    public val isPaused: Column<Boolean> = bool("is_paused").databaseGenerated()
    public val isDelayed: Column<Boolean> = bool("is_delayed").databaseGenerated()
    public val jobType: Column<String> = text("job_type")
    public val stage: Column<String> = text("stage").databaseGenerated()
    public val initialStage: Column<String?> = text("initial_stage").nullable()
    public val workerId: Column<String?> = text("worker_id").nullable()
    public val claimOrigin: Column<ClaimOrigin?> = wireText<ClaimOrigin>("claim_origin").nullable()
    public val idempotencyKey: Column<String?> = text("idempotency_key").nullable()
    public val statusReason: Column<String?> = text("status_reason").nullable()
    public val lastErrorCode: Column<String?> = text("last_error_code").nullable()
    public val lastErrorMessage: Column<String?> = text("last_error_message").nullable()
    public val payload: Column<Json> = jsonb("payload").databaseGenerated()
    public val checkpoint: Column<Json?> = jsonb("checkpoint").nullable()
    public val output: Column<Json?> = jsonb("output").nullable()
    public val enqueueRequest: Column<Json?> = jsonb("enqueue_request").nullable()
    public val retryPolicy: Column<Json?> = jsonb("retry_policy").nullable()
    public val headers: Column<Json?> = jsonb("headers").nullable()
    public val flowGroup: Column<UUID?> = javaUUID("flow_group").nullable()
    public val orderPosition: Column<Long?> = long("order_position").nullable()
    public val holdsOrder: Column<Boolean?> = bool("holds_order").nullable()
    public val queue: Column<String?> = text("queue").nullable()
    public val limitKeys: Column<List<String>?> = array<String>("limit_keys").nullable()
    public val orderKey: Column<String?> = text("order_key").nullable()
    public val shareKey: Column<String?> = text("share_key").nullable()
    public val progressPct: Column<BigDecimal?> = numeric("progress_pct").nullable().databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "job_queue_pkey")

    init {
        index("idx_job_queue_claim", isUnique = false, jobType, isPaused, isDelayed, priority, nextRunAt, id)
        index("idx_job_queue_delayed", isUnique = false, jobType, isPaused, nextRunAt, priority)
        index("idx_job_queue_dead_lettered", isUnique = false, jobType, id)
        index("idx_job_queue_dead_letters_finished", isUnique = false, finishedAt, id)
        index("idx_job_queue_ended", isUnique = false, status, finishedAt, id)
        index("idx_job_queue_error_code", isUnique = false, lastErrorCode, status, id)
        index("idx_job_queue_flow", isUnique = false, jobType, isPaused, isDelayed, priority, nextRunAt, id)
        index("idx_job_queue_flow_due", isUnique = false, jobType, priority, flowGroup, nextRunAt, id)
        index("idx_job_queue_flow_delayed", isUnique = false, jobType, nextRunAt)
        index("idx_job_queue_flow_leased", isUnique = false, leaseId)
        index("idx_job_queue_order", isUnique = false, orderKey, orderPosition)
        index("idx_job_queue_queue", isUnique = false, queue, status, id)
        index("idx_job_queue_leased_expiry", isUnique = false, leaseExpiresAt)
        index("idx_job_queue_organization", isUnique = false, organizationId, status, id)
        uniqueIndex("uq_job_queue_type_idempotency", idempotencyKey, jobType, organizationId)
    }
}
