package io.runledger.console.replica

import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase
import io.runledger.postgres.PostgresServer
import org.postgresql.ds.PGSimpleDataSource
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.deleteRecursively
import kotlin.io.path.exists
import kotlin.io.path.isExecutable
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.writeText

/**
 * A primary and its streaming standby, from the PostgreSQL that Debian installs: the embedded one has no program that makes a
 * standby. A commit returns when the standby has applied it, so a test that has written to the primary can read from the standby.
 */
class StreamingPair private constructor(private val home: Path, private val primary: Member, private val standby: Member) :
    PostgresServer(HOST, primary.port, USER, PASSWORD, "postgres") {
    /** Connections to the standby, which accepts no writes. */
    fun standby(database: String) = PGSimpleDataSource().also {
        it.setURL("jdbc:postgresql://$HOST:${standby.port}/$database")
        it.user = USER
        it.password = PASSWORD
    }

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        listOf(standby, primary).forEach(Member::stop)
        home.deleteRecursively()
    }

    /** One of the two servers. */
    private class Member(private val programs: Path, home: Path) {
        val port = ServerSocket(0).use { it.localPort }
        val data: Path = home.resolve("data")
        private val home = home.createDirectory().setPosixFilePermissions(PosixFilePermissions.fromString("rwxrwxrwx"))
        private var guard: Process? = null

        fun initialize() {
            val secret = home.resolve("password").apply { writeText(PASSWORD) }
            run("initdb", "-D", "$data", "-U", USER, "-A", "scram-sha-256", "--pwfile=$secret", "-E", "UTF8", "--no-locale", "-N")
            secret.deleteIfExists()
        }

        fun copy(other: Member) =
            run("pg_basebackup", "-D", "$data", "-R", "-h", HOST, "-p", "${other.port}", "-U", USER, "-c", "fast", "--no-sync")

        /** Returns when the server takes connections. */
        fun start(vararg settings: String) {
            val all =
                settings.toList() + listOf("port=$port", "listen_addresses=$HOST", "unix_socket_directories=", "fsync=off") +
                    listOf("shared_buffers=32MB", "dynamic_shared_memory_type=mmap", "wal_retrieve_retry_interval=100ms")
            run("pg_ctl", "start", "-w", "-D", "$data", "-l", "${home.resolve("log")}", "-o", all.joinToString(" ") { "-c $it" })
            val pid = data.resolve("postmaster.pid").readLines().first().trim()
            // Ends the server when this JVM ends, in any way: the pipe is then closed.
            guard = ProcessBuilder("/bin/sh", "-c", "read -r _; kill -s QUIT $pid").start()
        }

        fun stop() {
            guard?.destroyForcibly()
            if (data.resolve("postmaster.pid").exists()) run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", "$data")
        }

        private fun run(program: String, vararg arguments: String) {
            val command = listOf("${programs.resolve(program)}") + arguments
            // PostgreSQL refuses root.
            val isRoot = Files.getOwner(home).name == "root"
            val said = home.resolve("said")
            val process = ProcessBuilder(if (isRoot) listOf("/bin/sh", "-c", AS_ANOTHER, user) + command else command)
                .directory(home.toFile()).redirectErrorStream(true).redirectOutput(said.toFile())
                .also { it.environment()["PGPASSWORD"] = PASSWORD }.start()
            check(process.waitFor() == 0) { "$program failed: ${said.readLines().takeLast(20)}" }
        }
    }

    companion object {
        private const val HOST = "127.0.0.1"
        private const val USER = "postgres"
        private const val PASSWORD = "a secret of the test"
        private const val OLDEST = 15
        private val user = System.getenv("RUNLEDGER_TEST_PG_USER")?.ifBlank { null } ?: "nobody"

        // Of util-linux, which Debian cannot be without. Its process becomes the program's.
        private const val AS_ANOTHER = """exec setpriv --reuid="$(id -u "$0")" --regid="$(id -g "$0")" --clear-groups -- "$@""""

        private val programs: Path? = Path.of("/usr/lib/postgresql").takeIf { it.exists() }?.listDirectoryEntries().orEmpty()
            .filter { (it.name.toIntOrNull() ?: 0) >= OLDEST }.sortedByDescending { it.name.toInt() }.map { it.resolve("bin") }
            .firstOrNull { bin -> listOf("initdb", "postgres", "pg_ctl", "pg_basebackup").all { bin.resolve(it).isExecutable() } }

        /** Whether a test can run here, for `config(enabledOrReasonIf = StreamingPair.isThere)`. */
        val isThere: (TestCase) -> Enabled = {
            val missing = "No PostgreSQL with pg_basebackup is installed in /usr/lib/postgresql: see .ci/install-servers."
            if (programs != null) Enabled.enabled else Enabled.disabled(missing)
        }

        fun start(): StreamingPair {
            val open = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"))
            val home = Files.createTempDirectory("streaming", open)
            val (primary, standby) = listOf("primary", "standby").map { Member(checkNotNull(programs), home.resolve(it)) }
            val pair = StreamingPair(home, primary, standby)
            try {
                primary.initialize()
                primary.start()
                standby.copy(primary)
                standby.start()
                primary.stop()
                // With these settings from its start: no commit can precede them.
                primary.start("synchronous_standby_names=*", "synchronous_commit=remote_apply")
                return pair
            } catch (failure: Exception) {
                pair.close()
                throw failure
            }
        }
    }
}
