package io.runledger.exposed.catalog

import io.runledger.exposed.schema.SchemaName
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SchemaException
import java.sql.Connection

/** Checks whether a ledger is compatible with this build. */
internal class SchemaCheck(private val schema: SchemaName) {
    /** Refuses a ledger that this build cannot use. Only reads. */
    fun requireCompatible(connection: Connection) {
        val state = requireMigratable(connection)
        val refusal = when {
            state.history == null -> missing(state)

            state.pending.isNotEmpty() -> outdated(state)

            else ->
                ExpectedCatalog
                    .differences(CatalogReader(connection, schema).read(), state.hasNewerMigrations)
                    .takeIf { it.isNotEmpty() }
                    ?.let(::altered)
        }
        if (refusal != null) throw refusal
    }

    /** Refuses a ledger that must not be migrated, and returns its state. */
    fun requireMigratable(connection: Connection): LedgerState {
        val version = connection.rows("SELECT current_setting('server_version_num')::int") { it.getInt(1) }.single()
        if (version < OLDEST_SERVER) throw unsupported(version)
        return LedgerState.read(connection, schema).also(::requireMigratable)
    }

    /** Refuses a [state] to which this build must not apply migrations. */
    fun requireMigratable(state: LedgerState) {
        (alteredHistory(state) ?: unknownFence(state))?.let { throw it }
    }

    private fun alteredHistory(state: LedgerState): SchemaException? {
        val offences = state.history.orEmpty().mapNotNull { recorded ->
            val bundled = BundledMigration.all.find { it.version == recorded.version }
            when {
                bundled == null -> null
                !recorded.succeeded -> "migration $bundled is recorded as failed"
                recorded.checksum != bundled.checksum -> "migration $bundled was applied with another content"
                else -> null
            }
        }
        return if (offences.isEmpty()) null else altered(offences)
    }

    private fun unknownFence(state: LedgerState): SchemaException? {
        val unknown = state.fence.filter { fenced -> BundledMigration.all.none { it.version == fenced.toString() } }
        return if (unknown.isEmpty()) null else tooNew(unknown)
    }

    private fun unsupported(version: Int) = SchemaException(
        ErrorCode.POSTGRES_UNSUPPORTED,
        "The server is PostgreSQL ${version / 10_000}. The ledger needs ${OLDEST_SERVER / 10_000} or newer. Upgrade the server.",
    )

    private fun missing(state: LedgerState) = SchemaException(
        ErrorCode.SCHEMA_MISSING,
        (if (state.hasSchema) "The schema '$schema' holds no ledger" else "The database has no schema '$schema'") +
            ". Run migrate() as a role that may create it, or correct the schema name.",
    )

    private fun outdated(state: LedgerState) = SchemaException(
        ErrorCode.SCHEMA_OUTDATED,
        "The ledger in '$schema' lacks the migrations ${state.pending.joinToString(", ")}. Run migrate().",
    )

    private fun tooNew(unknown: List<Long>) = SchemaException(
        ErrorCode.SCHEMA_TOO_NEW,
        "The ledger in '$schema' has migration ${unknown.joinToString(", ") { "V$it" }}, which this build " +
            "(up to V${BundledMigration.all.last().version}) does not support. Upgrade the library.",
    )

    private fun altered(differences: List<String>) = SchemaException(
        ErrorCode.SCHEMA_ALTERED,
        "The ledger in '$schema' differs from its migrations: " + differences.take(SHOWN).joinToString("; ") +
            (if (differences.size > SHOWN) "; and ${differences.size - SHOWN} more" else "") +
            ". Undo the change, or restore the schema from a backup.",
        differences.joinToString("\n"),
        null,
    )

    private companion object {
        const val OLDEST_SERVER = 150_000
        const val SHOWN = 5
    }
}
