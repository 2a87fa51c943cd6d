package io.runledger.benchmarks

import java.nio.file.Files
import java.nio.file.Path
import kotlin.streams.asSequence

/** Processor time in microseconds from `/proc`, which is more reliable than elapsed time on a busy machine; 0 without `/proc`. */
object CpuTime {
    /** Of a process alone. */
    fun of(pid: Long): Long = fields(Path.of("/proc/$pid/stat"))?.let { it[USER] + it[SYSTEM] }?.times(MICROS_PER_TICK) ?: 0

    /** Of a server: its first process, its children and those that have ended. */
    fun ofFamily(pid: Long): Long {
        val parent = fields(Path.of("/proc/$pid/stat")) ?: return 0
        val ended = (parent[ENDED_USER] + parent[ENDED_SYSTEM]) * MICROS_PER_TICK
        return of(pid) + ended + children(pid).sumOf(::of)
    }

    /** Of a process's threads that live and whose names begin with one of [names]. */
    fun ofThreads(pid: Long, vararg names: String): Long =
        Path.of("/proc/$pid/task").toFile().listFiles().orEmpty().sumOf { thread ->
            runCatching { Files.readString(thread.toPath().resolve("comm")) }.getOrNull()
                ?.takeIf { name -> names.any(name::startsWith) }
                ?.let { fields(thread.toPath().resolve("stat")) }
                ?.let { (it[USER] + it[SYSTEM]) * MICROS_PER_TICK } ?: 0
        }

    private fun children(pid: Long): List<Long> = ProcessHandle.of(pid).map { parent ->
        parent.children().asSequence().map { it.pid() }.toList()
    }.orElse(listOf())

    /** The numbers after the name, which may itself hold spaces. */
    private fun fields(file: Path): List<Long>? = file.takeIf(Files::exists)?.let {
        runCatching { Files.readString(file).substringAfterLast(") ").split(' ').map { it.toLongOrNull() ?: 0 } }.getOrNull()
    }

    private const val USER = 11
    private const val SYSTEM = 12
    private const val ENDED_USER = 13
    private const val ENDED_SYSTEM = 14
    private const val MICROS_PER_TICK = 10_000L
}
