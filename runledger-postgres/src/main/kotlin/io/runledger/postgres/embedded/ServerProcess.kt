package io.runledger.postgres.embedded

import java.io.IOException
import java.lang.ProcessBuilder.Redirect
import java.nio.file.Files
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/**
 * A running server under its watchdog, a shell that prints the server's exit code when the server has ended. The watchdog
 * reads from a pipe that this JVM holds. If the pipe ends without the line `leave`, the JVM has died and the watchdog stops
 * the server.
 */
internal class ServerProcess private constructor(private val home: ServerHome, private val watchdog: Process) {
    private val exit = CompletableFuture<String?>()

    val pid: Long by lazy { checkNotNull(PostmasterFile(home.data).pid()) { "There is no process id in ${home.data}." } }

    init {
        thread(isDaemon = true, name = "runledger-postgres-exit") {
            exit.complete(runCatching { watchdog.inputStream.bufferedReader().readLine() }.getOrNull())
        }
    }

    /** Fast shutdown: disconnects sessions, writes all data and ends. */
    fun stop() = end("INT")

    /** Immediate shutdown: ends without writing data. */
    fun quit() = end("QUIT")

    fun kill() {
        ProcessHandle.of(pid).ifPresent { parent ->
            // Stopped first, so that it cannot start another process after its children are listed.
            Signals.send("STOP", listOf(parent))
            val children = parent.children().toList()
            Signals.send("KILL", children + parent)
            // With a timeout: without an init process that reaps orphans, ended processes stay listed.
            CompletableFuture.allOf(*children.map { it.onExit() }.toTypedArray()).endsWithin(5_000)
        }
        // runuser and su stop together with their child process, and need CONT to notice that it has ended.
        while (!exit.endsWithin(100)) Signals.send("CONT", watchdog.descendants().toList())
        leave()
    }

    private fun end(signal: String) {
        if (!exit.isDone) ProcessHandle.of(pid).ifPresent { Signals.send(signal, listOf(it)) }
        if (exit.endsWithin(30_000)) leave() else kill()
    }

    private fun awaitReady(timeout: Duration) {
        val deadline = System.nanoTime() + timeout.toNanos()
        val mark = PostmasterFile(home.data)
        while (!mark.isReady()) {
            if (exit.endsWithin(5)) {
                leave()
                throw StartFailure.of("ended during startup with exit code ${exit.get()}", home.log)
            }
            if (System.nanoTime() > deadline) {
                if (mark.pid() != null) kill() else watchdog.outputStream.close()
                throw StartFailure.of("was not ready after $timeout", home.log)
            }
        }
        pid
    }

    private fun leave() {
        try {
            watchdog.outputStream.use { it.write("leave\n".toByteArray()) }
        } catch (_: IOException) {
            return // The watchdog has already ended.
        } finally {
            watchdog.waitFor(1, SECONDS)
        }
    }

    private fun CompletableFuture<*>.endsWithin(millis: Long) = try {
        get(millis, MILLISECONDS)
        true
    } catch (_: TimeoutException) {
        false
    }

    companion object {
        private val script = ServerProcess::class.java.getResource("watchdog.sh")!!.readText()

        fun launch(home: ServerHome, command: List<String>, timeout: Duration): ServerProcess {
            // Files of a server that was killed earlier must not be mistaken for those of the new server.
            Files.deleteIfExists(PostmasterFile(home.data).path)
            Files.deleteIfExists(home.directory.resolve("exited"))
            val fate = if (home.keep) listOf("keep", "INT") else listOf("remove", "QUIT")
            val watchdog = Shell
                .process(listOf("/bin/sh", "-c", script, "runledger-watchdog", "${home.directory}") + fate + command)
                .redirectError(Redirect.appendTo(home.log.toFile()))
                .start()
            return ServerProcess(home, watchdog).also { it.awaitReady(timeout) }
        }
    }
}
