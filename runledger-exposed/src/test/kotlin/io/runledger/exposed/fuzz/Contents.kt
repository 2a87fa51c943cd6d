package io.runledger.exposed.fuzz

import java.sql.Connection

/** Reads what every table of a ledger holds, as one number for each: two equal readings mean that nothing was written. */
class Contents(connection: Connection, schema: String = "runledger") {
    private val sql = connection.createStatement().use { statement ->
        statement.executeQuery("SELECT tablename FROM pg_tables WHERE schemaname = '$schema' ORDER BY tablename").use { rows ->
            buildList { while (rows.next()) add(rows.getString(1)) }
        }
    }.joinToString(" UNION ALL ") {
        "SELECT '$it', count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) FROM $schema.$it t"
    }

    fun read(connection: Connection): Map<String, String> = connection.createStatement().use { statement ->
        statement.executeQuery(sql).use { rows -> buildMap { while (rows.next()) put(rows.getString(1), rows.getString(2)) } }
    }
}
