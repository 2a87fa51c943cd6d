package io.runledger.console

import java.sql.ResultSet

/** Changes rows by hand, for states that take long to arise. */
fun ConsoleBench.run(vararg statements: String): Unit = ledger.dataSource.connection.use { connection ->
    connection.createStatement().use { statement -> statements.forEach(statement::execute) }
}

/** The first row of a query. */
fun <T> ConsoleBench.row(query: String, read: (ResultSet) -> T): T = ledger.dataSource.connection.use { connection ->
    connection.createStatement().use { statement ->
        statement.executeQuery(query).use { rows ->
            check(rows.next()) { "The query has no row: $query" }
            read(rows)
        }
    }
}
