package io.runledger.postgres.embedded

import org.slf4j.LoggerFactory
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** Servers whose JVM and watchdog both died, for example with the machine or a killed container. */
internal class LeftServers(private val servers: Path) {
    fun sweep() = servers.listDirectoryEntries().filter(ServerHome::isAbandoned).forEach(::remove)

    private fun remove(home: Path) = try {
        StrayServer.stop(home.resolve("data"))
        removeTree(home)
        log.info("Removed the server directory {} of a JVM that has ended.", home)
    } catch (failure: IOException) {
        // The server's own watchdog may be removing it at the same time.
        if (Files.exists(home)) log.warn("Could not remove the server directory {}.", home, failure) else Unit
    }

    private companion object {
        val log = LoggerFactory.getLogger(LeftServers::class.java)!!
    }
}
