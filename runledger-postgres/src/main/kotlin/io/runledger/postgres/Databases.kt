package io.runledger.postgres

import org.postgresql.util.PSQLState
import java.sql.Connection
import java.sql.SQLException
import java.sql.SQLTimeoutException

/** Creates, copies and drops databases of one server, each time in its own session. */
internal class Databases(val server: PostgresServer) {
    // Measured with 15 small tables: file_copy takes half the time of wal_log if fsync is off, and twice the time if
    // fsync is on, because it needs checkpoints.
    private val copyStrategy: String by lazy {
        when {
            server.majorVersion < 15 -> ""
            maintain { it.textOf("SHOW fsync") } == "off" -> "STRATEGY file_copy"
            else -> "STRATEGY wal_log"
        }
    }

    fun createEmpty(name: String) = maintain { it.run("CREATE DATABASE $name TEMPLATE template0 ENCODING 'UTF8'") }

    fun createCopy(name: String, source: String) = maintain { it.run("CREATE DATABASE $name TEMPLATE $source $copyStrategy") }

    fun drop(name: String) = try {
        maintain { it.run("DROP DATABASE IF EXISTS $name WITH (FORCE)") }
    } catch (gone: SQLException) {
        if (!gone.isLostServer()) throw gone else Unit
    }

    fun exists(name: String): Boolean = maintain { it.textOf("SELECT 1 FROM pg_database WHERE datname = '$name'") } != null

    /** Turns a database into a template: no connections are allowed, and it gets its final name. */
    fun seal(name: String, finalName: String) = maintain {
        it.run("ALTER DATABASE $name WITH ALLOW_CONNECTIONS false")
        it.run("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '$name'")
        it.run("ALTER DATABASE $name RENAME TO $finalName")
    }

    fun <T> maintain(work: (Connection) -> T): T = server.database(server.maintenanceDatabase).connect().use(work)

    private fun SQLException.isLostServer() = this is SQLTimeoutException || PSQLState.isConnectionError(sqlState)
}

internal fun Connection.run(sql: String) {
    createStatement().use { it.execute(sql) }
}

internal fun Connection.textOf(sql: String): String? = createStatement().use { statement ->
    statement.executeQuery(sql).use { rows -> if (rows.next()) rows.getString(1) else null }
}
