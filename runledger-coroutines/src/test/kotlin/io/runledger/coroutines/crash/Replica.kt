package io.runledger.coroutines.crash

import io.runledger.coroutines.until
import org.postgresql.ds.PGSimpleDataSource
import java.net.ServerSocket
import java.nio.file.Path
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.deleteRecursively
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.writeText
import java.nio.file.attribute.PosixFilePermissions.fromString as permissions

/** One of the servers of a [ReplicatedPostgres], primary or standby, which the test can kill, freeze or disconnect. */
internal class Replica(private val postgres: InstalledPostgres, private val home: Path, private val password: String) {
    val port = ServerSocket(0).use { it.localPort }
    private val data = home.resolve("data")
    private val mark = data.resolve("postmaster.pid")
    private lateinit var server: Process
    private lateinit var guard: Process

    init {
        home.createDirectory().setPosixFilePermissions(permissions("rwxrwxrwx"))
    }

    /** Makes it a server with nothing in it, and starts it. */
    suspend fun begin() {
        val secret = home.resolve("password").apply { writeText(password) }
        postgres.run(
            "initdb", "-D", "$data", "-U", USER, "-A", "scram-sha-256", "--pwfile=$secret", "-E", "UTF8", "--no-locale", "-N",
            home = home,
        )
        secret.deleteIfExists()
        start()
    }

    /** Makes it a standby of [primary], whatever it was before, and starts it. */
    @OptIn(ExperimentalPathApi::class)
    suspend fun follow(primary: Replica) {
        data.deleteRecursively()
        postgres.run(
            "pg_basebackup", "-D", "$data", "-R", "-h", HOST, "-p", "${primary.port}", "-U", USER, "-c", "fast", "--no-sync",
            home = home,
            password = password,
        )
        start()
    }

    /** Makes a primary of a standby. */
    fun promote() = postgres.run("pg_ctl", "promote", "-w", "-D", "$data", home = home)

    /** Stops every process of it where it is, until [wake]. */
    fun freeze() {
        signal("STOP", listOf(server.toHandle()))
        signal("STOP", server.children().toList())
    }

    /** Stops its replication to the standby. */
    fun holdBack() {
        val sender = checkNotNull(ask("SELECT pid FROM pg_stat_replication")).toLong()
        signal("STOP", server.children().filter { it.pid() == sender }.toList())
    }

    fun wake() = signal("CONT", server.children().toList() + server.toHandle())

    /** Ends every process of it at once. */
    fun kill() {
        if (!::server.isInitialized || !server.isAlive) return
        guard.destroyForcibly()
        val memory = mark.readLines().elementAtOrNull(SHARED_MEMORY)?.trim()?.substringAfterLast(' ')
        // Stopped first: it cannot start another process between the counting of its children and their end.
        signal("STOP", listOf(server.toHandle()))
        signal("KILL", server.children().toList() + server.toHandle())
        check(server.waitFor(60, SECONDS)) { "the server does not die" }
        // The system keeps it for a server that starts in the same directory again; none will.
        if (memory != null) ProcessBuilder("/bin/sh", "-c", "ipcrm -m $memory").start().waitFor()
    }

    /** Connections to this server and no other. */
    fun dataSource(database: String, settings: PGSimpleDataSource.() -> Unit = {}) = PGSimpleDataSource().also {
        it.setURL("jdbc:postgresql://$HOST:$port/$database")
        it.user = USER
        it.password = password
        it.settings()
    }

    /** The first value [sql] gives in a session of its own with this server. */
    fun ask(sql: String, database: String = "postgres"): String? = dataSource(database).connection.use { connection ->
        connection.createStatement().use { statement ->
            if (!statement.execute(sql)) return null
            statement.resultSet.use { rows -> if (rows.next()) rows.getString(1) else null }
        }
    }

    private suspend fun start() {
        val command = postgres.process("postgres", "-D", "$data", "-p", "$port", *settings, home = home)
        server = command.redirectOutput(home.resolve("log").toFile()).start()
        // Ends the server when this JVM ends, in any way: the pipe is then closed.
        guard = ProcessBuilder("/bin/sh", "-c", "read -r _; kill -s KILL ${server.pid()}").start()
        until("the server takes connections") {
            check(server.isAlive) { "the server did not start: ${home.resolve("log").readLines().takeLast(20)}" }
            mark.exists() && mark.readLines().elementAtOrNull(STATE)?.trim() == "ready"
        }
    }

    // The shell's own kill: small images have no program of that name.
    private fun signal(name: String, processes: List<ProcessHandle>) {
        val pids = processes.joinToString(" ") { "${it.pid()}" }
        // Of its children some may end by themselves meanwhile.
        if (pids.isNotEmpty()) ProcessBuilder("/bin/sh", "-c", "kill -s $name $pids 2>/dev/null").start().waitFor()
    }

    companion object {
        const val HOST = "127.0.0.1"
        const val USER = "postgres"

        /** Lines of the file that a running server keeps about itself. */
        private const val SHARED_MEMORY = 6
        private const val STATE = 7

        private val settings = listOf(
            "listen_addresses=$HOST",
            "unix_socket_directories=",
            "max_connections=80",
            "shared_buffers=32MB",
            "synchronous_commit=on",
            // In the server's directory, where it goes with it.
            "dynamic_shared_memory_type=mmap",
        ).flatMap { listOf("-c", it) }.toTypedArray()
    }
}
