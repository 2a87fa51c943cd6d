package io.runledger.exposed.catalog

import io.runledger.exposed.schema.SchemaName
import java.sql.Connection
import java.sql.ResultSet
import javax.sql.DataSource

/**
 * Runs [work] on its own connection, in a transaction that is rolled back. In it, `search_path` is `pg_catalog`, so the result
 * does not depend on the caller's setting. The connection returns to the pool in its original state.
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

/** Waits until no other session creates, migrates or drops the ledger in [schema]. The lock ends with the transaction. */
internal fun Connection.awaitTurn(schema: SchemaName) {
    rows("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "runledger migrate ${schema.text}") {}
}
