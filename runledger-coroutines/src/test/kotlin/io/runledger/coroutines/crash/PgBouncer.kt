package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase
import org.postgresql.ds.PGSimpleDataSource
import java.io.IOException
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.TimeUnit.SECONDS
import javax.sql.DataSource
import kotlin.concurrent.thread
import kotlin.io.path.deleteRecursively
import kotlin.io.path.isExecutable
import kotlin.io.path.writeText

/** A pooler in front of [database], with fewer sessions than it has clients. */
class PgBouncer(private val database: PostgresDatabase, mode: String) : AutoCloseable {
    private val port = ServerSocket(0).use { it.localPort }
    private val directory =
        Files.createTempDirectory("pgbouncer", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")))
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
            pool_mode = $mode
            default_pool_size = ${if (mode == "transaction") 3 else 20}
            ignore_startup_parameters = extra_float_digits
            log_connections = 0
            log_disconnections = 0
            """.trimIndent(),
        )
        // Like the server itself it refuses to run as root.
        val isRoot = Files.getOwner(settings).name == "root"
        val user = System.getenv("RUNLEDGER_TEST_PG_USER")?.ifBlank { null } ?: "nobody"
        val command = listOf("$program") + (if (isRoot) listOf("-u", user) else emptyList()) + "$settings"
        process = ProcessBuilder(command).redirectErrorStream(true).start()
        val said = process.inputReader()
        val before = generateSequence { said.readLine() }.takeWhile { "process up" !in it }.toList()
        check(process.isAlive) { "pgbouncer did not start: $before" }
        thread(isDaemon = true, name = "pgbouncer") {
            try {
                while (said.readLine() != null) continue
            } catch (_: IOException) {
                // It was closed.
            }
        }
    }

    /** Connections through the pooler; without statements prepared by name, which belong to a session. */
    fun dataSource(): DataSource = PGSimpleDataSource().also {
        it.setURL("jdbc:postgresql://127.0.0.1:$port/${database.name}?prepareThreshold=0")
        it.user = database.user
    }

    override fun close() {
        process.destroy()
        check(process.waitFor(60, SECONDS)) { "pgbouncer does not end" }
        @OptIn(kotlin.io.path.ExperimentalPathApi::class)
        directory.deleteRecursively()
    }

    companion object {
        /** Where the pooler is installed, or null. */
        val program: Path? = (System.getenv("PATH").orEmpty().split(":") + listOf("/usr/sbin", "/usr/local/sbin"))
            .map { Path.of(it, "pgbouncer") }.firstOrNull { it.isExecutable() }
    }
}
