package io.runledger.samples.demo

import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.PostgresDatabase
import org.postgresql.ds.PGSimpleDataSource
import java.nio.file.Path

/** A warehouse in a separate process, so that the demo can kill it. */
internal class WarehouseProcess private constructor(private val process: Process) : AutoCloseable {
    /** Like `kill -9`: the process cannot release its leases. */
    fun kill() {
        process.destroyForcibly().waitFor()
    }

    override fun close() = kill()

    companion object {
        fun start(name: String, database: PostgresDatabase): WarehouseProcess {
            val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
            val classPath = System.getProperty("java.class.path")
            val builder = ProcessBuilder(java, "-cp", classPath, "io.runledger.samples.demo.WarehouseProcessKt", name)
            builder.environment() += mapOf("WAREHOUSE_URL" to database.jdbcUrl, "WAREHOUSE_PASSWORD" to database.password)
            builder.environment()["WAREHOUSE_USER"] = database.user
            return WarehouseProcess(builder.inheritIO().start())
        }
    }
}

fun main(arguments: Array<String>) {
    val dataSource = PGSimpleDataSource().also {
        it.setURL(System.getenv("WAREHOUSE_URL"))
        it.user = System.getenv("WAREHOUSE_USER")
        it.password = System.getenv("WAREHOUSE_PASSWORD")
    }
    Warehouse.open(RunledgerClient.create(dataSource), arguments.single()).ended().join()
}
