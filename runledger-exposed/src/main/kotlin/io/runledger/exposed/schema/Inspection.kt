package io.runledger.exposed.schema

import java.sql.Connection
import java.sql.ResultSet
import javax.sql.DataSource

/**
 * Runs [work] on a connection of its own, in a transaction that is rolled back. `search_path` is `pg_catalog` for that long, so
 * nothing depends on the caller's, and the connection goes back as it came.
 */
internal fun <T> DataSource.inspecting(work: (Connection) -> T): T = connection.use { connection ->
    val wasAutoCommit = connection.autoCommit
    connection.autoCommit = false
    val outcome = runCatching {
        connection.createStatement().use { it.execute("SET LOCAL search_path = pg_catalog") }
        work(connection)
    }
    val restored = runCatching {
        connection.rollback()
        connection.autoCommit = wasAutoCommit
    }
    outcome.getOrThrow().also { restored.getOrThrow() }
}

internal fun <T> Connection.rows(sql: String, vararg arguments: String, read: (ResultSet) -> T): List<T> =
    prepareStatement(sql).use { statement ->
        arguments.forEachIndexed { place, argument -> statement.setString(place + 1, argument) }
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(read(rows)) } }
    }

/** Waits until nobody else makes, migrates or drops the ledger in [schema]; the turn is over when the transaction ends. */
internal fun Connection.awaitTurn(schema: SchemaName) {
    rows("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "runledger migrate ${schema.text}") {}
}
