package io.runledger.postgres

import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.SECONDS

/** A real JVM of its own that owns an embedded server until it is killed. */
class OwnerJvm private constructor(private val jvm: Process) {
    private val owned by lazy {
        val answer = checkNotNull(jvm.inputStream.bufferedReader().readLine()) { "the owner ended before its server was up" }
        ProcessHandle.of(answer.substringBefore(" ").toLong()).orElseThrow() to Path.of(answer.substringAfter(" ")).parent
    }
    val server: ProcessHandle get() = owned.first
    val home: Path get() = owned.second

    fun killed() = everything().also { jvm.destroyForcibly() }.awaitEnd()

    /** Like a container that is killed: no process is left to clean up. Only the server keeps running. */
    fun killedWithItsWatchdog() {
        val ofServer = setOf(server) + server.descendants().toList()
        val others = everything() - ofServer
        others.drop(1).forEach { it.destroyForcibly() }
        jvm.destroyForcibly()
        others.awaitEnd()
    }

    /** The outer shell dies with the JVM, the inner one that waits for the JVM's end does not. */
    fun killedWithHalfOfItsWatchdog() {
        val watchdog = server.parent().orElseThrow()
        val all = everything()
        watchdog.destroyForcibly()
        jvm.destroyForcibly()
        all.awaitEnd()
    }

    private fun everything() = listOf(jvm.toHandle()) + jvm.descendants().toList()

    companion object {
        fun start(cache: Path): OwnerJvm {
            val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
            val command = listOf(java, "-cp", System.getProperty("java.class.path"), OwnerProgram::class.java.name, "$cache")
            return OwnerJvm(ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start())
        }
    }
}

fun List<ProcessHandle>.awaitEnd() {
    CompletableFuture.allOf(*map { it.onExit() }.toTypedArray()).get(60, SECONDS)
}

object OwnerProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val server = EmbeddedPostgres.builder().cache(Path.of(arguments[0])).start()
        println("${server.pid} ${server.dataDirectory}")
        System.`in`.read()
    }
}
