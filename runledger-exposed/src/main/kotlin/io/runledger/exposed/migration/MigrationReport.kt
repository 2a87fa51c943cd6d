package io.runledger.exposed.migration

/**
 * The result of `migrate()`.
 *
 * @property schema the schema of the ledger
 * @property applied the migrations this call applied, in order, for example `V1 types`; empty if the ledger was current
 */
public data class MigrationReport(public val schema: String, public val applied: List<String>)
