package io.runledger.exposed.table.flow

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** The values that each limit has had since each change. */
public class LimitChangesTable internal constructor(schema: SchemaName) : LedgerTable(schema, "limit_changes") {
    public val changedAt: Column<Instant> = timestamptz("changed_at").databaseGenerated()
    public val ratePeriodUs: Column<Long?> = long("rate_period_us").nullable()
    public val permits: Column<Int?> = integer("permits").nullable()
    public val rateCount: Column<Int?> = integer("rate_count").nullable()
    public val rateBurst: Column<Int?> = integer("rate_burst").nullable()
    public val name: Column<String> = text("name")
    public val changedBy: Column<String?> = text("changed_by").nullable()
    public val reason: Column<String?> = text("reason").nullable()

    override val primaryKey: PrimaryKey = PrimaryKey(name, changedAt, name = "limit_changes_pkey")
}
