package io.runledger.postgres.embedded

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.TimeoutException

/** A server nobody watches any more. */
internal object StrayServer {
    /** Ends the server that runs on [data], if one does, and removes its mark. */
    fun stop(data: Path) {
        val mark = PostmasterFile(data)
        mark.pid()?.let(ProcessHandle::of)?.orElse(null)?.takeIf { it.serves(data) }?.let(::end)
        Files.deleteIfExists(mark.path)
    }

    // The number alone proves nothing: it may have been given to another process since.
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
