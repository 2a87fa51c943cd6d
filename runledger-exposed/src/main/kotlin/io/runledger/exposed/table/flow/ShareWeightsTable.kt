package io.runledger.exposed.table.flow

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column

/** The shares of job types that have a weight above 1. */
public class ShareWeightsTable internal constructor(schema: SchemaName) : LedgerTable(schema, "share_weights") {
    public val jobType: Column<String> = text("job_type")
    public val shareKey: Column<String> = text("share_key")
    public val weight: Column<Int> = integer("weight")

    override val primaryKey: PrimaryKey = PrimaryKey(jobType, shareKey, name = "share_weights_pkey")
}
