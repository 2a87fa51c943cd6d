package io.runledger.benchmarks

import io.runledger.postgres.EmbeddedPostgres

/** One durable PostgreSQL for the whole run; each contender gets databases of its own. */
class Server : AutoCloseable {
    private val postgres = EmbeddedPostgres.builder().durable().settings(SETTINGS).start()
    private var databases = 0

    val version: String = "PostgreSQL " + session("SHOW server_version").substringBefore(' ')

    /** Processor time of all its processes so far, in microseconds. */
    fun cpuMicros(): Long = CpuTime.ofFamily(postgres.pid)

    fun freshDatabase(): BenchDatabase {
        val name = "bench${++databases}"
        session("CREATE DATABASE $name")
        return postgres.database(name).let { BenchDatabase(it.jdbcUrl, it.user, it.password) }
    }

    /** Removes the effects of one database on those that follow. */
    fun drop(database: BenchDatabase) {
        session("DROP DATABASE ${database.jdbcUrl.substringAfterLast('/')} WITH (FORCE)")
    }

    private fun session(sql: String): String = postgres.database(postgres.maintenanceDatabase).connect().use { connection ->
        connection.createStatement().use { statement ->
            if (!statement.execute(sql)) return ""
            statement.resultSet.use { if (it.next()) it.getString(1) else "" }
        }
    }

    override fun close() = postgres.close()

    companion object {
        /** The settings of a small production server; fsync and synchronous_commit stay on. */
        val SETTINGS = mapOf(
            "shared_buffers" to "1GB",
            "max_wal_size" to "8GB",
            "checkpoint_timeout" to "30min",
            "max_connections" to "600",
            "shared_preload_libraries" to "pg_stat_statements",
            "pg_stat_statements.track_planning" to "on",
        )
    }
}
