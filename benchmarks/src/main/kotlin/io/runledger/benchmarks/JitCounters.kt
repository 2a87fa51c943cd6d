package io.runledger.benchmarks

import java.nio.file.Files
import java.nio.file.Path

/** The work of a JVM's compilers since its start. */
class JitCounters private constructor(
    private val values: Map<String, Long>,
    /** Processor time of the compiler threads. A thread that the JVM has ended for lack of work is missing. */
    val cpuMillis: Double,
) {
    /** Time of all compilations by the clock, which grows when other processes keep the machine busy. */
    val millis: Double get() = values.getValue(TIME) * MILLIS_PER_SECOND / values.getValue(FREQUENCY)

    val methods: Double get() = values.getValue(METHODS).toDouble()

    /** Bytes of bytecode that was compiled, inlined methods included. */
    val bytes: Double get() = (values.getValue(BYTES) + values.getValue(OSR_BYTES)).toDouble()

    companion object {
        private const val TIME = "java.ci.totalTime"
        private const val FREQUENCY = "sun.os.hrt.frequency"
        private const val METHODS = "sun.ci.totalCompiles"
        private const val BYTES = "sun.ci.standardBytes"
        private const val OSR_BYTES = "sun.ci.osrBytes"
        private const val MILLIS_PER_SECOND = 1e3
        private const val MICROS_PER_MILLI = 1e3
        private val NAMES = setOf(TIME, FREQUENCY, METHODS, BYTES, OSR_BYTES)

        /**
         * Reads the counters of the JVM with that [pid] from outside, by `jcmd` of this program's own JDK, so that the JVM that is
         * measured does nothing for it. Null if there is no `jcmd` or the JVM does not have the counters.
         */
        fun of(pid: Long): JitCounters? {
            val jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").takeIf(Files::isExecutable) ?: return null
            val process = ProcessBuilder(
                jcmd.toString(),
                "$pid",
                "PerfCounter.print",
            ).redirectError(ProcessBuilder.Redirect.DISCARD).start()
            val lines = process.inputStream.bufferedReader().use { it.readLines() }
            process.waitFor()
            val values = lines.map { it.split('=', limit = 2) }
                .filter { it.size == 2 && it[0] in NAMES }
                .mapNotNull { (name, value) -> value.toLongOrNull()?.let { name to it } }
                .toMap()
            return if (values.keys ==
                NAMES
            ) {
                JitCounters(values, CpuTime.ofThreads(pid, "C1 Comp", "C2 Comp") / MICROS_PER_MILLI)
            } else {
                null
            }
        }
    }
}
