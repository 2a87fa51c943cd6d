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
 * It is `READY`, then takes commands line by line:
 *
 * | command | answer |
 * |---|---|
 * | `start <wait in ms> <each or count>` | `STARTED <time of the call that starts the worker>` |
 * | `stop` | `STOPPED` |
 * | `heap` | `HEAP <bytes>` |
 * | `enqueue <payload>` | `ENQUEUED <time of the call that enqueues the job>` |
 * | `runs <fan or chain> <size> <in flight> <ms>` | `RUNS <number> <nanoseconds>` |
 *
 * On its own it says `FIRST <time>` at its first job, `RAN` after every [STRIDE] jobs, and `AT <time>` at each job if `each` was
 * asked for. Times are the machine's monotonic clock in nanoseconds, which all processes share.
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
            "READY", "STARTED", "STOPPED", "HEAP", "ENQUEUED", "RUNS" -> answers.add(line)
            else -> System.err.println(line)
        }
    }

    /** Starts a worker. Returns the time of the call that starts it. */
    fun start(waitMillis: Long = 0, isEachTold: Boolean = false): Long {
        strides.set(0)
        starts.clear()
        return ask("start $waitMillis ${if (isEachTold) "each" else "count"}", "STARTED").substringAfter(' ').toLong()
    }

    fun stop() = ask("stop", "STOPPED").let { }

    /** Bytes of heap in use after a collection. */
    fun heap(): Long = ask("heap", "HEAP").substringAfter(' ').toLong()

    /** Has the worker's process enqueue a job. Returns the time of the call. */
    fun enqueue(payload: String): Long = ask("enqueue $payload", "ENQUEUED").substringAfter(' ').toLong()

    /**
     * Runs workflows of that [shape], `fan <width>` or `chain <length>`, for about so many [seconds]. When a run ends the next one
     * begins, so that as many as [inFlight] are always open.
     */
    fun runsPerSecond(shape: String, inFlight: Int, seconds: Double): Double {
        val (_, runs, nanos) = ask("runs $shape $inFlight ${(seconds * MILLIS).toLong()}", "RUNS").split(' ')
        return runs.toLong() / (nanos.toLong() / NANOS)
    }

    val pid: Long get() = process.pid()

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

    /** When the first job began since [start]; null if none has. Not for a worker that tells of each job. */
    fun firstStart(): Long? = starts.peek()

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
        private const val MILLIS = 1e3
        private const val NANOS = 1e9
        private const val KIB = 1024
    }
}
