package io.runledger.exposed.table.flow

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.model.flow.KeyedBy
import org.jetbrains.exposed.v1.core.Column
import java.time.Instant

/** The limits with the values in force and the declared ones, and what operators have set for queues. */
public class LimitsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "limits") {
    public val createdAt: Column<Instant> = timestamptz("created_at").databaseGenerated()
    public val updatedAt: Column<Instant> = timestamptz("updated_at").databaseGenerated()
    public val ratePeriodUs: Column<Long?> = long("rate_period_us").nullable()
    public val declaredRatePeriodUs: Column<Long?> = long("declared_rate_period_us").nullable()
    public val permits: Column<Int?> = integer("permits").nullable()
    public val rateCount: Column<Int?> = integer("rate_count").nullable()
    public val rateBurst: Column<Int?> = integer("rate_burst").nullable()
    public val declaredPermits: Column<Int?> = integer("declared_permits").nullable()
    public val declaredRateCount: Column<Int?> = integer("declared_rate_count").nullable()
    public val declaredRateBurst: Column<Int?> = integer("declared_rate_burst").nullable()
    public val isChanged: Column<Boolean> = bool("is_changed").databaseGenerated()
    public val name: Column<String> = text("name")
    public val keyedBy: Column<KeyedBy> = wireText<KeyedBy>("keyed_by").databaseGenerated()

    override val primaryKey: PrimaryKey = PrimaryKey(name, name = "limits_pkey")
}
