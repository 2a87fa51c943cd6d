package io.runledger.exposed.verify

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.ledger.DatabaseReport
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Reads what the server knows about the database and the tables of the ledger, with two statements. */
internal class ReadDatabase(private val context: LedgerContext) {
    fun database(): DatabaseReport = context.transactions.run { connection ->
        val tables = connection.rows(context.statements["verify/database_tables"]) {
            DatabaseReport.Table(
                getString("name"),
                getLong("total_bytes"),
                getLong("table_bytes"),
                getLong("index_bytes"),
                getLong("live_rows"),
                getLong("dead_rows"),
                instantOrNull("vacuumed_at"),
                instantOrNull("analyzed_at"),
            )
        }
        val report = connection.row(context.statements["verify/database"]) {
            DatabaseReport(
                getString("server_version"),
                getString("database_name"),
                getLong("database_bytes"),
                tables,
                longOrNull("snapshot_us")?.let { Duration.of(it, ChronoUnit.MICROS) },
                getInt("connections"),
                getInt("max_connections"),
                instantOrNull("oldest_end_at"),
            )
        }
        checkNotNull(report)
    }
}
