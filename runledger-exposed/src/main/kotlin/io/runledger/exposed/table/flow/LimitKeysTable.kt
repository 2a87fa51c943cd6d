package io.runledger.exposed.table.flow

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** The keys of limits and orders that claims have used lately, and how much of its rate each has spent. */
public class LimitKeysTable internal constructor(schema: SchemaName) : LedgerTable(schema, "limit_keys") {
    public val spentUntil: Column<Instant> = timestamptz("spent_until").databaseGenerated()
    public val usedAt: Column<Instant> = timestamptz("used_at").databaseGenerated()
    public val limitKey: Column<String> = text("limit_key")

    override val primaryKey: PrimaryKey = PrimaryKey(limitKey, name = "limit_keys_pkey")
}
