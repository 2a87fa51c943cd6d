package io.runledger.postgres

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.file.Path
import java.time.Duration

/** Settings for an [EmbeddedPostgres]. Each has a default, so `builder().start()` works. */
public class EmbeddedPostgresBuilder internal constructor() {
    private var launch = Launch()

    /** Whether a commit survives a crash: fsync, synchronous_commit and full_page_writes. Without this call they are off. */
    @JvmOverloads
    public fun durable(durable: Boolean = true): EmbeddedPostgresBuilder = change { copy(durable = durable) }

    /** A line of `postgresql.conf`. It overrides the library's own setting. The last value for a name applies. */
    public fun setting(name: String, value: String): EmbeddedPostgresBuilder = settings(mapOf(name to value))

    /** Several lines of `postgresql.conf`; see [setting]. */
    public fun settings(settings: Map<String, String>): EmbeddedPostgresBuilder = change {
        copy(
            settings =
            this.settings + settings,
        )
    }

    /** The port to listen on. The default 0 selects a free port. If the port is in use, [start] fails. */
    public fun port(port: Int): EmbeddedPostgresBuilder {
        require(port in 0..65535) { "port $port is not between 0 and 65535" }
        return change { copy(port = port) }
    }

    /**
     * The server's directory with data, log and password. Existing data is reused and never removed. The default is a new
     * directory in the cache. If another server uses the directory, [start] fails.
     */
    public fun directory(directory: Path): EmbeddedPostgresBuilder = change { copy(directory = directory) }

    /** Keeps the server's directory after an orderly shutdown. */
    @JvmOverloads
    public fun keepData(keep: Boolean = true): EmbeddedPostgresBuilder = change { copy(keep = keep) }

    /**
     * The directory for unpacked binaries, which are kept between runs, and for the directories of servers. The default is
     * `RUNLEDGER_TEST_PG_DIR`, else a directory per user in the JVM's temporary directory. By default, a server that is
     * neither durable nor kept runs in `/dev/shm`, if that and the memory are large enough.
     */
    public fun cache(cache: Path): EmbeddedPostgresBuilder = change { copy(cache = cache) }

    /**
     * The operating system user that runs the server if the JVM runs as root, because PostgreSQL refuses to run as root. The
     * default is `RUNLEDGER_TEST_PG_USER`, else `nobody`. Ignored if the JVM does not run as root.
     */
    public fun serverUser(user: String): EmbeddedPostgresBuilder = change { copy(serverUser = user) }

    /** The time [start] waits until the server accepts connections. The default is two minutes. */
    public fun startTimeout(timeout: Duration): EmbeddedPostgresBuilder = change { copy(startTimeout = timeout) }

    /** Starts a server. If it does not start, throws [PostgresUnavailableException] with the end of the server's log. */
    public fun start(): EmbeddedPostgres = launch.start()

    private fun change(change: Launch.() -> Launch) = apply { launch = launch.change() }
}
