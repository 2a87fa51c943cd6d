package io.runledger.exposed.lifecycle

import io.runledger.exposed.catalog.LedgerState
import io.runledger.exposed.catalog.SchemaCheck
import io.runledger.exposed.catalog.inspecting
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.SqlErrors
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import javax.sql.DataSource

/** Finds the ledgers of a database by their history tables. */
internal class ListLedgers(private val dataSource: DataSource, private val errors: SqlErrors) {
    fun list(): List<ListedLedger> = schemas().mapNotNull(::look)

    /** Skips schemas whose names the library does not allow: they are not ledgers of this library. */
    private fun schemas(): List<SchemaName> = errors.translating {
        dataSource.inspecting { connection -> connection.rows(SCHEMAS, LedgerState.HISTORY_TABLE) { it.getString(1) } }
    }.mapNotNull { name ->
        try {
            SchemaName(name)
        } catch (_: RunledgerException) {
            null
        }
    }

    /**
     * Reads each ledger in its own transaction, so that a ledger that is unreadable, or dropped during the call, does not hide
     * others.
     */
    private fun look(schema: SchemaName): ListedLedger? {
        val state = try {
            errors.translating { dataSource.inspecting { LedgerState.read(it, schema) } }
        } catch (refusal: SchemaException) {
            return if (refusal.code() == ErrorCode.PERMISSION_DENIED) unreadable(schema) else null
        }
        val version = state.history.orEmpty().mapNotNull { it.version.toIntOrNull() }.maxOrNull() ?: 0
        return ListedLedger(schema.text, version, standingOf(schema, state))
    }

    private fun standingOf(schema: SchemaName, state: LedgerState): ListedLedger.State = try {
        SchemaCheck(schema).requireMigratable(state)
        if (state.pending.isEmpty()) ListedLedger.State.CURRENT else ListedLedger.State.OUTDATED
    } catch (refusal: SchemaException) {
        if (refusal.code() == ErrorCode.SCHEMA_TOO_NEW) ListedLedger.State.TOO_NEW else ListedLedger.State.ALTERED
    }

    private fun unreadable(schema: SchemaName) = ListedLedger(schema.text, null, ListedLedger.State.UNREADABLE)

    private companion object {
        const val SCHEMAS = """
            SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = ? AND c.relkind = 'r' ORDER BY n.nspname"""
    }
}
