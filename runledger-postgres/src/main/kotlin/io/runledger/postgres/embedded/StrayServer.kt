package io.runledger.postgres.embedded

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.TimeoutException

/** A server without a watchdog. */
internal object StrayServer {
    /** Stops the server that runs on [data], if there is one, and removes its `postmaster.pid`. */
    fun stop(data: Path) {
        val mark = PostmasterFile(data)
        mark.pid()?.let(ProcessHandle::of)?.orElse(null)?.takeIf { it.serves(data) }?.let(::end)
        Files.deleteIfExists(mark.path)
    }

    // The process id alone is not enough: another process may have it now.
    private fun ProcessHandle.serves(data: Path) = info().commandLine().orElse("").contains(data.toString())

    private fun end(server: ProcessHandle) {
        Signals.send("QUIT", listOf(server))
        try {
            server.onExit().get(10, SECONDS)
        } catch (_: TimeoutException) {
            server.destroyForcibly()
        }
    }
}
