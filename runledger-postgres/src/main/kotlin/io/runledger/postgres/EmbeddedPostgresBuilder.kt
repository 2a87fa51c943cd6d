package io.runledger.postgres

import io.runledger.postgres.embedded.Launch
import java.nio.file.Path
import java.time.Duration

/** Choices for an [EmbeddedPostgres]; each has a default, so `builder().start()` works. */
public class EmbeddedPostgresBuilder internal constructor() {
    private var launch = Launch()

    /** Whether a commit survives a crash: fsync, synchronous_commit and full_page_writes. Off unless asked for. */
    @JvmOverloads
    public fun durable(durable: Boolean = true): EmbeddedPostgresBuilder = change { copy(durable = durable) }

    /** A line of `postgresql.conf`; wins over this library's own choice. The last value given for a name counts. */
    public fun setting(name: String, value: String): EmbeddedPostgresBuilder = settings(mapOf(name to value))

    /** Several lines of `postgresql.conf`, as [setting]. */
    public fun settings(settings: Map<String, String>): EmbeddedPostgresBuilder = change {
        copy(
            settings =
            this.settings + settings,
        )
    }

    /** The port to listen on; 0, the default, takes a free one. A taken port makes [start] fail. */
    public fun port(port: Int): EmbeddedPostgresBuilder {
        require(port in 0..65535) { "port $port is not between 0 and 65535" }
        return change { copy(port = port) }
    }

    /**
     * Where the server lives: data, log and password. Data found there is used again and never removed. Without it the
     * server gets a new directory in the cache. [start] fails while another server uses the directory.
     */
    public fun directory(directory: Path): EmbeddedPostgresBuilder = change { copy(directory = directory) }

    /** Leave the server's directory behind when it ends, after an orderly shutdown. */
    @JvmOverloads
    public fun keepData(keep: Boolean = true): EmbeddedPostgresBuilder = change { copy(keep = keep) }

    /**
     * Where unpacked binaries are kept between runs and servers have their directories. By default `RUNLEDGER_TEST_PG_DIR`, else
     * a directory per user under the JVM's temporary directory; a server that is neither durable nor kept then
     * lives in `/dev/shm`, if that and the memory are large enough.
     */
    public fun cache(cache: Path): EmbeddedPostgresBuilder = change { copy(cache = cache) }

    /**
     * The operating system's user to run the server as when the JVM runs as root, which PostgreSQL refuses to do:
     * `RUNLEDGER_TEST_PG_USER`, else `nobody`. Ignored for an ordinary user.
     */
    public fun serverUser(user: String): EmbeddedPostgresBuilder = change { copy(serverUser = user) }

    /** How long [start] waits until the server takes connections; two minutes unless told otherwise. */
    public fun startTimeout(timeout: Duration): EmbeddedPostgresBuilder = change { copy(startTimeout = timeout) }

    /** Starts a server; throws [PostgresUnavailableException] with the end of the server's log when it does not come up. */
    public fun start(): EmbeddedPostgres = launch.start()

    private fun change(change: Launch.() -> Launch) = apply { launch = launch.change() }
}
