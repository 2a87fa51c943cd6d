package io.runledger.benchmarks

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.sql.Connection
import java.sql.DriverManager

/** A contender's own database, reached from the measuring process and from its workers'. */
class BenchDatabase(val jdbcUrl: String, val user: String, val password: String) {
    fun pool(size: Int): HikariDataSource = HikariDataSource(
        HikariConfig().also {
            it.jdbcUrl = jdbcUrl
            it.username = user
            it.password = password
            it.maximumPoolSize = size
            // Keep-alive queries of the pool must not be measured.
            it.keepaliveTime = 0
        },
    )

    fun connect(): Connection = DriverManager.getConnection(jdbcUrl, user, password)

    fun run(vararg statements: String) = connect().use { connection ->
        connection.createStatement().use { statement -> statements.forEach { statement.execute(it) } }
    }

    /** Queried repeatedly at the end of a drain, so it has its own connection: new ones would load the server. */
    private val asking by lazy(::connect)

    @Synchronized
    fun number(sql: String): Long = asking.number(sql)

    /** As autovacuum would do between two runs. */
    fun tidy() = run("VACUUM (ANALYZE)")

    /** Writes all loaded rows to disk, as happens long before rows become old. */
    fun settleDown() {
        tidy()
        run("CHECKPOINT")
    }
}

/** The one number that [sql] answers with; true counts as 1. */
fun Connection.number(sql: String): Long = createStatement().use { statement ->
    statement.executeQuery(sql).use { rows ->
        rows.next()
        rows.getLong(1)
    }
}
