package io.runledger.exposed.schema

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SchemaException
import java.sql.Connection

/** Decides whether a ledger fits this build; every refusal says what is wrong and what to do. */
internal class SchemaCheck(private val schema: SchemaName) {
    /** Refuses whatever is not exactly usable; only reads. */
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

    /** Refuses what must not be migrated, and tells what there is. */
    fun requireMigratable(connection: Connection): LedgerState {
        val version = connection.rows("SELECT current_setting('server_version_num')::int") { it.getInt(1) }.single()
        if (version < OLDEST_SERVER) throw unsupported(version)
        return LedgerState.read(connection, schema).also(::requireMigratable)
    }

    /** Refuses a [state] that no migration of this build may follow. */
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
        "The database is PostgreSQL ${version / 10_000}; the ledger needs ${OLDEST_SERVER / 10_000} or newer: upgrade it.",
    )

    private fun missing(state: LedgerState) = SchemaException(
        ErrorCode.SCHEMA_MISSING,
        (if (state.hasSchema) "The schema '$schema' holds no ledger" else "The database has no schema '$schema'") +
            ": run migrate() as a role that may create it, or mend the schema's name.",
    )

    private fun outdated(state: LedgerState) = SchemaException(
        ErrorCode.SCHEMA_OUTDATED,
        "The ledger in '$schema' lacks ${state.pending.joinToString(", ")}: run migrate().",
    )

    private fun tooNew(unknown: List<Long>) = SchemaException(
        ErrorCode.SCHEMA_TOO_NEW,
        "The ledger in '$schema' has migration ${unknown.joinToString(", ") { "V$it" }}, which this build " +
            "(up to V${BundledMigration.all.last().version}) cannot work with: upgrade the library.",
    )

    private fun altered(differences: List<String>) = SchemaException(
        ErrorCode.SCHEMA_ALTERED,
        "The ledger in '$schema' is not what its migrations made: " + differences.take(SHOWN).joinToString("; ") +
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
