package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.util.UUID

/** Counts of live jobs and of jobs ended in the last day, per organization and job type. */
public class JobMetricsRollupView internal constructor(schema: SchemaName) : LedgerTable(schema, "job_metrics_rollup") {
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val jobType: Column<String> = text("job_type")
    public val pendingCount: Column<Long> = long("pending_count")
    public val leasedCount: Column<Long> = long("leased_count")
    public val staleLeases: Column<Long> = long("stale_leases")
    public val succeeded24h: Column<Long> = long("succeeded_24h")
    public val retryable24h: Column<Long> = long("retryable_24h")
    public val terminal24h: Column<Long> = long("terminal_24h")
    public val panicked24h: Column<Long> = long("panicked_24h")
    public val timeout24h: Column<Long> = long("timeout_24h")
    public val leaseExpired24h: Column<Long> = long("lease_expired_24h")
    public val deadLettered24h: Column<Long> = long("dead_lettered_24h")
    public val p50DurationMs24h: Column<Double?> = double("p50_duration_ms_24h").nullable()
    public val p95DurationMs24h: Column<Double?> = double("p95_duration_ms_24h").nullable()
}
