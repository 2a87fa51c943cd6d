package io.runledger.postgres

import io.runledger.postgres.embedded.LOOPBACK
import io.runledger.postgres.embedded.SUPERUSER
import io.runledger.postgres.embedded.ServerHome
import io.runledger.postgres.embedded.ServerProcess
import java.nio.file.Path
import java.util.function.Supplier

/**
 * A PostgreSQL server started from the binaries on the class path. It listens on the loopback address only.
 *
 * The server stops when this JVM ends, even if the JVM is killed, and its directory is removed unless it is kept. Every role
 * needs its password: like a production server, it refuses a wrong password and an unknown role with SQL state 28P01.
 */
public class EmbeddedPostgres internal constructor(
    private val home: ServerHome,
    port: Int,
    first: ServerProcess,
    private val launch: Supplier<ServerProcess>,
) : PostgresServer(LOOPBACK, port, SUPERUSER, home.readPassword(), "postgres") {
    private var process: ServerProcess? = first

    /** The data directory. It survives [kill] and [restart]. */
    @get:JvmName("dataDirectory")
    public val dataDirectory: Path get() = home.data

    /** The server's log. */
    @get:JvmName("logFile")
    public val logFile: Path get() = home.log

    /** The process id of the server's main process, the parent of all others. Fails while the server is not running. */
    @get:JvmName("pid")
    public val pid: Long
        @Synchronized get() = checkNotNull(process) { "The server is not running. Call restart()." }.pid

    override fun readMajorVersion(): Int = home.majorVersion()

    /**
     * Kills every process of the server at once, like a crash: data that was not yet written is lost. Returns when the
     * processes have ended. The data stays for [restart]. If the server is not running, nothing happens.
     */
    @Synchronized
    public fun kill() {
        process?.kill()
        process = null
    }

    /**
     * Starts the server again on the same port and data. If it is running, it is stopped cleanly first. After [kill], a
     * durable server recovers all commits.
     */
    @Synchronized
    public fun restart() {
        check(home.exists()) { "The server was closed and its data is removed. Start a new server." }
        process?.stop()
        process = null
        process = launch.get()
    }

    @Synchronized
    override fun close() {
        val running = process
        process = null
        if (home.keep) running?.stop() else running?.quit()
        home.release()
    }

    public companion object {
        /** Starts a fast server for tests. Its data does not survive a crash of the machine. */
        @JvmStatic
        public fun start(): EmbeddedPostgres = builder().start()

        @JvmStatic
        public fun builder(): EmbeddedPostgresBuilder = EmbeddedPostgresBuilder()
    }
}
