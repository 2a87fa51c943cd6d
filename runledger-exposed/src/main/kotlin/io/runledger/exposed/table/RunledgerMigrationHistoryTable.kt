package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/**
 * Migrations that are incompatible with older versions of the library. Additive migrations are not listed, so old and new
 * versions can run side by side.
 */
public class RunledgerMigrationHistoryTable internal constructor(schema: SchemaName) :
    LedgerTable(schema, "runledger_migration_history") {
    public val version: Column<Long> = long("version")
    public val recordedAt: Column<Instant> = timestamptz("recorded_at").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(version, name = "runledger_migration_history_pkey")
}
