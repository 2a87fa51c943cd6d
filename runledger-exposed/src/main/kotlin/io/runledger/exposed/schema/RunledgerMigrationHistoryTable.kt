package io.runledger.exposed.schema

import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/**
 * Fence: migrations that an older library must not tolerate. Additive migrations stay out, so old and new can run side by side.
 */
public class RunledgerMigrationHistoryTable internal constructor(schema: SchemaName) :
    LedgerTable(schema, "runledger_migration_history") {
    public val version: Column<Long> = long("version")
    public val recordedAt: Column<Instant> = timestamptz("recorded_at").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(version, name = "runledger_migration_history_pkey")
}
