package io.runledger.benchmarks.worker

import io.runledger.benchmarks.CpuTime
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread

/**
 * A worker in its own process, so that every contender is measured in the same way, in any language.
 *
 * Reads commands line by line: `start <wait in ms> <each|count>`, `stop`, `heap`. Answers `READY`, `STARTED`, `STOPPED`,
 * `HEAP <bytes>`. Prints `FIRST <time>` at its first job, `RAN` after every [STRIDE] jobs, and with `each`, `AT <time>` per job.
 * Times are the machine's monotonic clock in nanoseconds, which all processes share.
 */
class WorkerProcess(command: List<String>) : AutoCloseable {
    private val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val answers = LinkedBlockingQueue<String>()
    private val starts = LinkedBlockingQueue<Long>()
    private val strides = AtomicLong()

    init {
        thread(isDaemon = true) { process.inputStream.bufferedReader().forEachLine(::hear) }
        answer("READY")
    }

    private fun hear(line: String) {
        val (word, value) = line.split(' ').let { it[0] to it.getOrNull(1) }
        when (word) {
            "RAN" -> strides.incrementAndGet()
            "FIRST", "AT" -> starts.add(value!!.toLong())
            "READY", "STARTED", "STOPPED", "HEAP" -> answers.add(line)
            else -> System.err.println(line)
        }
    }

    fun start(waitMillis: Long = 0, isEachTold: Boolean = false) {
        strides.set(0)
        starts.clear()
        ask("start $waitMillis ${if (isEachTold) "each" else "count"}", "STARTED")
    }

    fun stop() = ask("stop", "STOPPED").let { }

    /** Bytes of heap in use after a collection. */
    fun heap(): Long = ask("heap", "HEAP").substringAfter(' ').toLong()

    /** Processor time so far, in microseconds. */
    fun cpuMicros(): Long = CpuTime.of(process.pid())

    /** Bytes of memory that the process has. */
    fun residentMemory(): Long = Files.readAllLines(Path.of("/proc/${process.pid()}/status")).first {
        it.startsWith("VmRSS")
    }.filter { it.isDigit() }.toLong() *
        KIB

    /** At least so many jobs have begun since [start]; fewer than [STRIDE] may be missing. */
    val ran: Long get() = strides.get() * STRIDE

    /** The start time of the next job. Waits for it for a limited time. */
    fun nextStart(): Long = checkNotNull(starts.poll(LIMIT_SECONDS, TimeUnit.SECONDS)) { "No job began within $LIMIT_SECONDS s." }

    private fun ask(command: String, word: String): String {
        process.outputStream.write("$command\n".toByteArray())
        process.outputStream.flush()
        return answer(word)
    }

    private fun answer(word: String): String {
        val line =
            checkNotNull(answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                "The worker did not answer $word within $LIMIT_SECONDS s."
            }
        check(line.startsWith(word)) { "The worker answered $line instead of $word." }
        return line
    }

    override fun close() {
        process.outputStream.close()
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly()
    }

    companion object {
        const val STRIDE = 500
        private const val LIMIT_SECONDS = 120L
        private const val KIB = 1024
    }
}
