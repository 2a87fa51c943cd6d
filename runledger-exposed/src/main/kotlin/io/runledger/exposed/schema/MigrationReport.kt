package io.runledger.exposed.schema

/**
 * What a call of `migrate()` did.
 *
 * @property schema where the ledger lives
 * @property applied the migrations this call applied, in order, for example `V1 types`; empty when there was nothing to do
 */
public data class MigrationReport(public val schema: String, public val applied: List<String>)
