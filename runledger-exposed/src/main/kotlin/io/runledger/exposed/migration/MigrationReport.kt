package io.runledger.exposed.migration

/**
 * The result of `migrate()`.
 *
 * @property schema the schema of the ledger
 * @property applied the migrations this call applied, in order, for example `V1 types`; empty if the ledger was current
 */
public data class MigrationReport(
    @get:JvmName("schema") public val schema: String,
    @get:JvmName("applied") public val applied: List<String>,
)
