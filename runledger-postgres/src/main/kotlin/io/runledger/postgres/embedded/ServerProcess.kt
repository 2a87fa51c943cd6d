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
 * A running server under its watchdog, a shell that prints the server's exit code when it has ended. The watchdog reads
 * from a pipe this JVM holds; the pipe's end without the word `leave` means that the JVM is gone and the server must go too.
 */
internal class ServerProcess private constructor(private val home: ServerHome, private val watchdog: Process) {
    private val exit = CompletableFuture<String?>()

    val pid: Long by lazy { checkNotNull(PostmasterFile(home.data).pid()) { "the server at ${home.data} left no process id" } }

    init {
        thread(isDaemon = true, name = "runledger-postgres-exit") {
            exit.complete(runCatching { watchdog.inputStream.bufferedReader().readLine() }.getOrNull())
        }
    }

    /** Disconnects sessions, writes everything out and ends. */
    fun stop() = end("INT")

    /** Ends without writing anything out. */
    fun quit() = end("QUIT")

    fun kill() {
        ProcessHandle.of(pid).ifPresent { parent ->
            // Stopped first: it cannot start another process between the counting of its children and their end.
            Signals.send("STOP", listOf(parent))
            val children = parent.children().toList()
            Signals.send("KILL", children + parent)
            // Bounded: where nobody collects orphans, the dead stay listed.
            CompletableFuture.allOf(*children.map { it.onExit() }.toTypedArray()).endsWithin(5_000)
        }
        // runuser and su stop themselves along with what they run, and would sleep through its end.
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
                throw StartFailure.of("ended at its start with exit code ${exit.get()}", home.log)
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
            return // it has left already
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
            // Of a server killed earlier: it would be taken for the new one's.
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
