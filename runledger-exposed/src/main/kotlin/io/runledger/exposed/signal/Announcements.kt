package io.runledger.exposed.signal

import java.util.concurrent.ConcurrentHashMap

/**
 * Keeps it rare that a client tells of due jobs. PostgreSQL lets commits that notify pass one at a time, each with its wait
 * for the disk: if every enqueue did, many threads would enqueue no faster than one. So what was told a moment ago is not told
 * again, and listeners hear it twice, the second time when that moment is over.
 */
internal class Announcements(private val pauseNanos: Long = PAUSE_NANOS, private val clock: () -> Long = System::nanoTime) {
    private val told = ConcurrentHashMap<String, Long>()

    /** Whether one of [jobTypes] must be told of. The caller then tells of all of them. */
    fun begin(jobTypes: Set<String>): Boolean {
        val now = clock()
        return jobTypes.map { isDue(it, now) }.any { it }
    }

    /** What [begin] said was to be told was not: the next one tells it. */
    fun forget(jobTypes: Set<String>) = told.keys.removeAll(jobTypes)

    private fun isDue(jobType: String, now: Long): Boolean =
        told.compute(jobType) { _, last -> last?.takeIf { now - it < pauseNanos } ?: now } == now

    companion object {
        private const val PAUSE_NANOS = 20_000_000L

        /** When a listener hears again of jobs it was told of: the pause, and time to commit what was begun in it. */
        const val ECHO_NANOS = 5 * PAUSE_NANOS
    }
}
