package io.runledger.exposed.lifecycle

import io.runledger.exposed.catalog.CatalogEntry
import io.runledger.exposed.catalog.ExpectedCatalog
import io.runledger.exposed.catalog.LedgerState
import io.runledger.exposed.catalog.awaitTurn
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.OwnTransactions
import io.runledger.exposed.sql.SqlErrors
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SchemaException
import org.postgresql.util.PSQLException
import java.sql.Connection
import java.sql.SQLException
import javax.sql.DataSource

/**
 * Drops one ledger completely or not at all. One transaction names every object that the migrations created, without CASCADE,
 * so that the database refuses to drop objects that do not belong to the ledger.
 */
internal class DropLedger(dataSource: DataSource, private val schema: SchemaName, errors: SqlErrors) {
    private val transactions = OwnTransactions(dataSource, errors)

    fun run(destroying: Destroying): DroppedLedger = transactions.run { connection ->
        connection.execute("SET LOCAL search_path = pg_catalog")
        connection.awaitTurn(schema)
        val tables = tablesOf(connection)
        // Checked before other sessions have to wait for the locks, and again once no other session can change the result.
        refuseUnless(destroying, standingOf(connection, tables))
        lock(connection, tables)
        standingOf(connection, tables).also {
            refuseUnless(destroying, it)
            drop(connection, tables)
        }
    }

    /** The existing tables of the ledger. An unfinished migration may have left only some. */
    private fun tablesOf(connection: Connection): List<String> {
        val present = connection.rows(TABLES, schema.text) { it.getString(1) }.toSet()
        if (LedgerState.HISTORY_TABLE !in present) throw noLedger()
        return (ExpectedCatalog.names(CatalogEntry.Kind.TABLE) + LedgerState.HISTORY_TABLE).distinct().filter { it in present }
    }

    private fun standingOf(connection: Connection, tables: List<String>): DroppedLedger {
        val (unfinished, running) = if ("job_queue" in tables) connection.numbers(JOBS + schema.qualify("job_queue")) else NONE
        val (runs) = if ("workflow_runs" in tables) connection.numbers(RUNS + schema.qualify("workflow_runs")) else NONE
        return DroppedLedger(schema.text, unfinished, running, runs)
    }

    private fun refuseUnless(destroying: Destroying, standing: DroppedLedger) {
        val isRunning = standing.runningJobs > 0
        val isUnfinished = standing.unfinishedJobs > 0 || standing.unfinishedRuns > 0
        val needed = when {
            isRunning -> Destroying.RUNNING_JOBS
            isUnfinished -> Destroying.UNFINISHED_JOBS
            else -> Destroying.HISTORY
        }
        if (destroying < needed) throw inUse(standing, needed)
    }

    /**
     * Waits for running statements, but only briefly at a time. A longer wait would block all other sessions, and could
     * deadlock with a transaction that holds one table and needs the next.
     */
    private fun lock(connection: Connection, tables: List<String>) {
        connection.execute("SET LOCAL lock_timeout = '500ms'")
        val lock = "LOCK TABLE " + tables.joinToString { schema.qualify(it) } + " IN ACCESS EXCLUSIVE MODE"
        repeat(LOCK_TRIES - 1) {
            val savepoint = connection.setSavepoint()
            try {
                return connection.execute(lock)
            } catch (busy: SQLException) {
                if (busy.sqlState !in BUSY) throw busy
                connection.rollback(savepoint)
            }
        }
        connection.execute(lock)
    }

    private fun drop(connection: Connection, tables: List<String>) = try {
        fun all(kind: CatalogEntry.Kind) = ExpectedCatalog.names(kind).joinToString { schema.qualify(it) }
        val functions = ExpectedCatalog.names(CatalogEntry.Kind.FUNCTION).joinToString { "${schema.quoted}.$it" }
        connection.execute("DROP VIEW IF EXISTS " + all(CatalogEntry.Kind.VIEW))
        connection.execute("DROP TABLE " + tables.joinToString { schema.qualify(it) })
        connection.execute("DROP FUNCTION IF EXISTS " + functions)
        connection.execute("DROP TYPE IF EXISTS " + all(CatalogEntry.Kind.TYPE))
        connection.execute("DROP SCHEMA ${schema.quoted}")
    } catch (refusal: PSQLException) {
        throw if (refusal.sqlState == STILL_NEEDED) notAlone(refusal) else refusal
    }

    private fun noLedger() = SchemaException(
        ErrorCode.SCHEMA_MISSING,
        "The database has no ledger in '$schema' to drop. Correct the schema name.",
    )

    private fun inUse(standing: DroppedLedger, needed: Destroying) = ConflictException(
        ErrorCode.SCHEMA_IN_USE,
        "The ledger in '$schema' has ${standing.unfinishedJobs} jobs that have not ended, of which workers hold " +
            "${standing.runningJobs}, and ${standing.unfinishedRuns} runs. Wait until they end, or pass Destroying.$needed.",
    )

    private fun notAlone(refusal: PSQLException) = ConflictException(
        ErrorCode.SCHEMA_NOT_ALONE,
        "The schema '$schema' contains objects that do not belong to the ledger, or objects elsewhere depend on it. " +
            "Nothing was dropped. Move or drop these objects first; the internal message names them.",
        refusal.message,
        refusal,
    )

    private fun Connection.numbers(sql: String): List<Long> =
        rows(sql) { row -> (1..row.metaData.columnCount).map(row::getLong) }.single()

    private fun Connection.execute(sql: String) {
        createStatement().use { it.execute(sql) }
    }

    private companion object {
        const val LOCK_TRIES = 20
        const val STILL_NEEDED = "2BP01"
        const val JOBS = "SELECT count(*) FILTER (WHERE status::text NOT IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED')), " +
            "count(*) FILTER (WHERE status::text = 'LEASED' AND lease_expires_at > clock_timestamp()) FROM "
        const val RUNS = "SELECT count(*) FILTER (WHERE finished_at IS NULL) FROM "
        const val TABLES = """
            SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND c.relkind IN ('r', 'p')"""
        val NONE = listOf(0L, 0L)
        val BUSY = setOf("55P03", "40P01")
    }
}
