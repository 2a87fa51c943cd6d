package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleKind
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** Schedules that create jobs or start workflow runs, and triggers. */
public class JobSchedulesTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_schedules") {
    public val id: Column<UUID> = javaUUID("id").databaseGenerated()
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val createdByUserId: Column<UUID?> = javaUUID("created_by_user_id").nullable()
    public val lastJobId: Column<UUID?> = javaUUID("last_job_id").nullable()
    public val lastRunId: Column<UUID?> = javaUUID("last_run_id").nullable()
    public val pollId: Column<UUID?> = javaUUID("poll_id").nullable()
    public val nextFireAt: Column<Instant> = timestamptz("next_fire_at")
    public val deferredFrom: Column<Instant?> = timestamptz("deferred_from").nullable()
    public val pollUntil: Column<Instant?> = timestamptz("poll_until").nullable()
    public val lastFiredAt: Column<Instant?> = timestamptz("last_fired_at").nullable()
    public val anchorAt: Column<Instant> = timestamptz("anchor_at").databaseGenerated()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val intervalSeconds: Column<Int?> = integer("interval_seconds").nullable()
    public val maxJitterSeconds: Column<Int> = integer("max_jitter_seconds").databaseGenerated()
    public val misfireLimit: Column<Int> = integer("misfire_limit").databaseGenerated()
    public val version: Column<Int> = integer("version").databaseGenerated()
    public val isActive: Column<Boolean> = bool("is_active").databaseGenerated()
    public val declaredIsActive: Column<Boolean?> = bool("declared_is_active").nullable()
    public val name: Column<String> = text("name")
    public val kind: Column<ScheduleKind> = wireText<ScheduleKind>("kind").databaseGenerated()
    public val jobType: Column<String?> = text("job_type").nullable()
    public val workflowType: Column<String?> = text("workflow_type").nullable()
    public val cronExpr: Column<String?> = text("cron_expr").nullable()
    public val timezone: Column<String> = text("timezone").databaseGenerated()
    public val misfirePolicy: Column<MisfirePolicy> = wireText<MisfirePolicy>("misfire_policy").databaseGenerated()
    public val overlapPolicy: Column<OverlapPolicy> = wireText<OverlapPolicy>("overlap_policy").databaseGenerated()
    public val payloadTemplate: Column<Json> = jsonb("payload_template").databaseGenerated()
    public val workflowRequest: Column<Json?> = jsonb("workflow_request").nullable()
    public val flow: Column<Json?> = jsonb("flow").nullable()
    public val headers: Column<Json?> = jsonb("headers").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(id, name = "job_schedules_pkey")

    init {
        index("idx_job_schedules_last_job", isUnique = false, lastJobId)
        index("idx_job_schedules_last_run", isUnique = false, lastRunId)
        index("idx_job_schedules_next_fire", isUnique = false, nextFireAt)
        uniqueIndex("uq_job_schedules_name", name)
    }
}
