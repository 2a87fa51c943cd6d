package io.runledger.exposed.catalog

import io.runledger.exposed.schema.SchemaName
import java.sql.Connection

/** The state of the ledger, read before its objects are compared. */
internal class LedgerState(
    val isReadOnly: Boolean,
    val hasSchema: Boolean,
    /** Whether the role may create objects in the schema. True if the schema does not exist yet. */
    val mayCreate: Boolean,
    /** Null if there is no history table. */
    val history: List<Recorded>?,
    val fence: List<Long>,
) {
    /** A row of Flyway's history. */
    class Recorded(val version: String, val checksum: Int?, val succeeded: Boolean)

    val pending: List<BundledMigration>
        get() = BundledMigration.all.filter { bundled -> history.orEmpty().none { it.version == bundled.version } }

    val hasNewerMigrations: Boolean
        get() = history.orEmpty().any { recorded -> BundledMigration.all.none { it.version == recorded.version } }

    companion object {
        const val HISTORY_TABLE = "runledger_schema_history"
        private const val FENCE_TABLE = "runledger_migration_history"
        private const val CREATE_PRIVILEGE = "SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = ?"

        fun read(connection: Connection, schema: SchemaName): LedgerState = LedgerState(
            isReadOnly =
            connection.single("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool") == "t",
            hasSchema = connection.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", schema.text) {}.isNotEmpty(),
            mayCreate = connection.rows(CREATE_PRIVILEGE, schema.text) { it.getBoolean(1) }.all { it },
            history = if (connection.hasTable(schema, HISTORY_TABLE)) connection.history(schema) else null,
            fence = if (connection.hasTable(schema, FENCE_TABLE)) connection.fence(schema) else emptyList(),
        )

        private fun Connection.single(sql: String) = rows(sql) { it.getString(1) }.single()

        private fun Connection.hasTable(schema: SchemaName, table: String) = rows(
            "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relname = ?",
            schema.text,
            table,
        ) {}.isNotEmpty()

        // Rows of other types are not migrations. Flyway writes a baseline row if the schema already contains tables.
        private fun Connection.history(schema: SchemaName) = rows(
            "SELECT version, checksum, success FROM ${schema.qualify(
                HISTORY_TABLE,
            )} WHERE type = 'SQL' ORDER BY installed_rank",
        ) {
            Recorded(it.getString(1).orEmpty(), it.getObject(2) as Int?, it.getBoolean(3))
        }

        private fun Connection.fence(schema: SchemaName) =
            rows("SELECT version FROM ${schema.qualify(FENCE_TABLE)} ORDER BY version") { it.getLong(1) }
    }
}
