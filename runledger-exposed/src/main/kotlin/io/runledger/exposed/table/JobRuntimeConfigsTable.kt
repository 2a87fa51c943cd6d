package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import org.jetbrains.exposed.v1.core.java.javaUUID
import java.time.Instant
import java.util.UUID

/** One runtime config per job type, for its handlers. */
public class JobRuntimeConfigsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_runtime_configs") {
    public val updatedByUserId: Column<UUID?> = javaUUID("updated_by_user_id").nullable()
    public val revision: Column<Long> = long("revision").databaseGenerated()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val schemaVersion: Column<Int> = integer("schema_version")
    public val jobType: Column<String> = text("job_type")
    public val config: Column<Json> = jsonb("config")

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, name = "job_runtime_configs_pkey")
}
