package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase
import org.postgresql.ds.PGSimpleDataSource
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit.SECONDS
import javax.sql.DataSource
import kotlin.io.path.isExecutable
import kotlin.io.path.writeText

/** A pooler in front of [database] that gives every transaction another session. */
class PgBouncer(private val database: PostgresDatabase, directory: Path) : AutoCloseable {
    private val port = ServerSocket(0).use { it.localPort }
    private val process: Process

    init {
        val settings = directory.resolve("pgbouncer.ini")
        settings.writeText(
            """
            [databases]
            ${database.name} = host=${database.server.host} port=${database.server.port} user=${database.user} password=${database.password}
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = $port
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 3
            ignore_startup_parameters = extra_float_digits
            """.trimIndent(),
        )
        val asWhom = if (Files.getOwner(settings).name == "root") listOf("-u", "nobody") else emptyList()
        process = ProcessBuilder(listOf("$program") + asWhom + "$settings").redirectErrorStream(true).start()
        val log = process.inputReader()
        val lines = generateSequence { log.readLine() }.takeWhile { "process up" !in it }.toList()
        check(process.isAlive) { "pgbouncer did not start: $lines" }
    }

    /** Connections through the pooler; without statements prepared by name, which belong to a session. */
    fun dataSource(): DataSource = PGSimpleDataSource().also {
        it.setURL("jdbc:postgresql://127.0.0.1:$port/${database.name}?prepareThreshold=0")
        it.user = database.user
    }

    override fun close() {
        process.destroy()
        check(process.waitFor(60, SECONDS)) { "pgbouncer does not end" }
    }

    companion object {
        /** Where the pooler is installed, or null. */
        val program: Path? = (System.getenv("PATH").split(":") + "/usr/sbin")
            .map { Path.of(it, "pgbouncer") }.firstOrNull { it.isExecutable() }
    }
}
