package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.json.Json
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** The job types and their defaults. A job's values are fixed when it is enqueued. */
public class JobDefinitionsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "job_definitions") {
    public val jobType: Column<String> = text("job_type")
    public val version: Column<Int> = integer("version").databaseGenerated()
    public val maxAttempts: Column<Int> = integer("max_attempts").databaseGenerated()
    public val defaultTimeoutSeconds: Column<Int> = integer("default_timeout_seconds").databaseGenerated()
    public val defaultPriority: Column<Int> = integer("default_priority").databaseGenerated()
    public val isEnabled: Column<Boolean> = bool("is_enabled").databaseGenerated()
    public val isPaused: Column<Boolean> = bool("is_paused").databaseGenerated()
    public val retryPolicy: Column<Json?> = jsonb("retry_policy").nullable()
    public val declaredMaxAttempts: Column<Int?> = integer("declared_max_attempts").nullable()
    public val declaredTimeoutSeconds: Column<Int?> = integer("declared_timeout_seconds").nullable()
    public val declaredPriority: Column<Int?> = integer("declared_priority").nullable()
    public val declaredIsEnabled: Column<Boolean?> = bool("declared_is_enabled").nullable()
    public val declaredRetryPolicy: Column<Json?> = jsonb("declared_retry_policy").nullable()
    public val redeclaredAt: Column<Instant?> = timestamptz("redeclared_at").nullable()
    public val flow: Column<Json?> = jsonb("flow").nullable()
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, name = "job_definitions_pkey")
}
