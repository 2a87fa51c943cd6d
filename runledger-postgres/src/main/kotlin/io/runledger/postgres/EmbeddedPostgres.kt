package io.runledger.postgres

import io.runledger.postgres.embedded.LOOPBACK
import io.runledger.postgres.embedded.SUPERUSER
import io.runledger.postgres.embedded.ServerHome
import io.runledger.postgres.embedded.ServerProcess
import java.nio.file.Path
import java.util.function.Supplier

/**
 * A PostgreSQL server started from the binaries on the class path, listening on the loopback address only.
 *
 * It ends with this JVM, however the JVM ends, and its directory goes with it unless it was to be kept. Every role needs
 * its password, so a wrong password and an unknown role are refused as a production server would (SQL state 28P01).
 */
public class EmbeddedPostgres internal constructor(
    private val home: ServerHome,
    override val port: Int,
    first: ServerProcess,
    private val launch: Supplier<ServerProcess>,
) : PostgresServer {
    private var process: ServerProcess? = first

    override val host: String get() = LOOPBACK
    override val user: String get() = SUPERUSER
    override val password: String = home.readPassword()
    override val majorVersion: Int = home.majorVersion()
    override val maintenanceDatabase: String get() = "postgres"

    /** Where the tables are; survives [kill] and [restart]. */
    public val dataDirectory: Path get() = home.data

    /** What the server writes about itself. */
    public val logFile: Path get() = home.log

    /** Process id of the server's first process, the parent of all others. Fails while the server is down. */
    public val pid: Long
        @Synchronized get() = checkNotNull(process) { "the server is down; restart() brings it back" }.pid

    override fun jdbcUrl(database: String): String = "jdbc:postgresql://$host:$port/$database"

    /**
     * Ends every process of the server at once, as a crash of the machine would for what was not yet written. Returns when
     * they are gone; the data stays for [restart]. Does nothing when the server is already down.
     */
    @Synchronized
    public fun kill() {
        process?.kill()
        process = null
    }

    /**
     * Starts the server again on the same port and data, stopping it in an orderly way first if it is running.
     * After [kill] it recovers what was committed, if it is durable.
     */
    @Synchronized
    public fun restart() {
        check(home.exists()) { "the server was closed and its data removed; start a new one" }
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
        /** Starts a server for tests: fast, nothing survives a crash of the machine. */
        @JvmStatic
        public fun start(): EmbeddedPostgres = builder().start()

        @JvmStatic
        public fun builder(): EmbeddedPostgresBuilder = EmbeddedPostgresBuilder()
    }
}
