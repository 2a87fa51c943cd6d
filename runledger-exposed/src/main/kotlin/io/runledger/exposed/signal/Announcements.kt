package io.runledger.exposed.signal

import java.util.concurrent.ConcurrentHashMap

/**
 * Limits how often a client notifies of due jobs. PostgreSQL serializes commits that notify, and each of them waits for its
 * flush to disk. If every enqueue notified, many threads would enqueue no faster than one. After a notification for a job
 * type, the client therefore sends no other for a short pause. Listeners deliver each notification twice: at once, and again
 * after the pause.
 */
internal class Announcements(private val pauseNanos: Long = PAUSE_NANOS, private val clock: () -> Long = System::nanoTime) {
    private val lastSent = ConcurrentHashMap<String, Long>()

    /** Whether to notify for one of [jobTypes]. If so, the caller notifies for all of them. */
    fun begin(jobTypes: Set<String>): Boolean {
        val now = clock()
        return jobTypes.map { isDue(it, now) }.any { it }
    }

    /** Reverts [begin] if the notification was not sent. The next call notifies. */
    fun revert(jobTypes: Set<String>) = lastSent.keys.removeAll(jobTypes)

    private fun isDue(jobType: String, now: Long): Boolean =
        lastSent.compute(jobType) { _, last -> last?.takeIf { now - it < pauseNanos } ?: now } == now

    companion object {
        private const val PAUSE_NANOS = 20_000_000L

        /** The delay before a listener repeats a notification: the pause, plus time to commit transactions that started in it. */
        const val REPEAT_NANOS = 5 * PAUSE_NANOS
    }
}
