package io.runledger.samples.demo

import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.PostgresDatabase
import org.postgresql.ds.PGSimpleDataSource
import java.nio.file.Path

/** A warehouse in a process of its own, so that it can be killed as a process is killed. */
internal class WarehouseProcess private constructor(private val process: Process) : AutoCloseable {
    /** As `kill -9` does it: the process has no time to say anything to anybody. */
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
