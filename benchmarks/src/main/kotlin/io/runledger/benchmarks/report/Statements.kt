package io.runledger.benchmarks.report

import io.runledger.benchmarks.BenchDatabase

/** The load of the server, by `pg_stat_statements`: calls, milliseconds in all, rows, pages and WAL bytes per call, statement. */
class Statements(private val database: BenchDatabase) {
    fun reset() =
        database.run("SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))")

    fun text(): String = database.connect().use { connection ->
        connection.createStatement().use { statement ->
            statement.executeQuery(SQL).use { rows ->
                buildString { while (rows.next()) appendLine((1..COLUMNS).joinToString("\t") { rows.getString(it).orEmpty() }) }
            }
        }
    }

    private companion object {
        const val COLUMNS = 7
        const val SQL = """
            SELECT calls, round(total_exec_time), round(total_plan_time), rows / greatest(calls, 1), (shared_blks_hit + shared_blks_read) / greatest(calls, 1),
                round(wal_bytes / greatest(calls, 1)), left(regexp_replace(query, '\s+', ' ', 'g'), 90)
            FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
            ORDER BY total_exec_time DESC LIMIT 8
        """
    }
}
