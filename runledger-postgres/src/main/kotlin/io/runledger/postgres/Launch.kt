package io.runledger.postgres

import io.runledger.postgres.embedded.Binaries
import io.runledger.postgres.embedded.Cluster
import io.runledger.postgres.embedded.FreePort
import io.runledger.postgres.embedded.LOOPBACK
import io.runledger.postgres.embedded.MemoryDisk
import io.runledger.postgres.embedded.Platform
import io.runledger.postgres.embedded.ServerCache
import io.runledger.postgres.embedded.ServerHome
import io.runledger.postgres.embedded.ServerProcess
import io.runledger.postgres.embedded.ServerSettings
import io.runledger.postgres.embedded.ServerUser
import io.runledger.postgres.embedded.StartFailure
import org.slf4j.LoggerFactory
import java.nio.file.Path
import java.time.Duration

/** The settings of an embedded server; [start] starts it. */
internal data class Launch(
    val durable: Boolean = false,
    val settings: Map<String, String> = emptyMap(),
    val port: Int = 0,
    val directory: Path? = null,
    val keep: Boolean = false,
    val cache: Path? = System.getenv("RUNLEDGER_TEST_PG_DIR")?.ifBlank { null }?.let(Path::of),
    val serverUser: String = System.getenv("RUNLEDGER_TEST_PG_USER")?.ifBlank { null } ?: "nobody",
    val startTimeout: Duration = Duration.ofMinutes(2),
) {
    fun start(): EmbeddedPostgres {
        val began = System.nanoTime()
        val platform = Platform.current()
        val cache = this.cache?.let(ServerCache::open) ?: ServerCache.within(Path.of(System.getProperty("java.io.tmpdir")))
        val user = ServerUser.of(serverUser)
        val binaries = Binaries.unpacked(cache, platform)
        val cluster = Cluster.initialised(cache, binaries, user)
        val home = if (directory == null) placeOfData(cache).newHome(keep) else ServerHome.at(directory, keep = true)
        try {
            if (home.isNew()) cluster.copyTo(home)
            val server = startOnPort(home, binaries, user)
            val millis = (System.nanoTime() - began) / 1_000_000
            log.debug("Started PostgreSQL {} on port {} in {} ms.", server.majorVersion, server.port, millis)
            return server
        } catch (failure: Exception) {
            home.release()
            throw failure
        }
    }

    private fun placeOfData(cache: ServerCache): ServerCache =
        if (durable || keep || this.cache != null) cache else MemoryDisk.path()?.let(ServerCache::within) ?: cache

    private fun startOnPort(home: ServerHome, binaries: Binaries, user: ServerUser): EmbeddedPostgres {
        val process = { port: Int -> startProcess(home, binaries, user, port) }
        if (port != 0) return EmbeddedPostgres(home, port, process(port)) { process(port) }
        repeat(PORT_ATTEMPTS - 1) {
            val free = FreePort.find()
            try {
                return EmbeddedPostgres(home, free, process(free)) { process(free) }
            } catch (failure: StartFailure) {
                if (!failure.portTaken) throw failure
            }
        }
        val last = FreePort.find()
        return EmbeddedPostgres(home, last, process(last)) { process(last) }
    }

    private fun startProcess(home: ServerHome, binaries: Binaries, user: ServerUser, port: Int): ServerProcess {
        val network = mapOf("listen_addresses" to LOOPBACK, "unix_socket_directories" to "", "port" to "$port")
        val shared = ServerSettings.shared(durable, binaries.hasStatementStatistics)
        ServerSettings.write(home.data, shared + settings + network)
        return ServerProcess.launch(home, user.command(binaries.executable("postgres"), "-D", "${home.data}"), startTimeout)
    }

    private companion object {
        const val PORT_ATTEMPTS = 5
        val log = LoggerFactory.getLogger(EmbeddedPostgres::class.java)!!
    }
}
