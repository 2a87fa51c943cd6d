package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** The keys of unique, throttled, debounced and replaced jobs, each with the job that was enqueued with it last. */
public class JobKeysTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_keys") {
    public val jobId: Column<UUID> = javaUUID("job_id")
    public val organizationId: Column<UUID?> = javaUUID("organization_id").nullable()
    public val endsAt: Column<Instant?> = timestamptz("ends_at").nullable()
    public val isPayload: Column<Boolean> = bool("is_payload")
    public val jobType: Column<String> = text("job_type")
    public val key: Column<String> = text("key")

    override val primaryKey: PrimaryKey = PrimaryKey(jobId, name = "job_keys_pkey")

    init {
        uniqueIndex("uq_job_keys_key", key, jobType, isPayload, organizationId)
    }
}
