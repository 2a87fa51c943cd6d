package io.runledger.coroutines.claim

import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * How many jobs of each type the worker may claim ahead of its free slots: as many as its handlers have begun in the last
 * [WINDOW] or two. So the jobs that it holds begin within a fraction of a second. If the handlers of a type take longer than
 * [SLOW] on average, or if none has ended yet, the worker claims none ahead: such jobs would wait here while another worker is
 * idle.
 */
internal class Turnover(private val clock: TimeSource.WithComparableMarks) {
    private val types = HashMap<String, OfType>()

    /** A handler of [jobType] begins [now], with so many [jobs]. */
    @Synchronized
    fun begun(jobType: String, now: ComparableTimeMark, jobs: Int = 1) = of(jobType, now).begun(now, jobs)

    /** A handler of [jobType] has ended after [elapsed]. */
    @Synchronized
    fun ended(jobType: String, elapsed: Duration) {
        types[jobType]?.ended(elapsed.inWholeMicroseconds / MICROS_PER_MILLI)
    }

    /** How many jobs of [jobType] may be claimed ahead. */
    @Synchronized
    fun ahead(jobType: String): Int = types[jobType]?.ahead(clock.markNow()) ?: 0

    private fun of(jobType: String, now: ComparableTimeMark) = types.getOrPut(jobType) { OfType(now) }

    private class OfType(now: ComparableTimeMark) {
        private var windowEnd: ComparableTimeMark = now + WINDOW
        private var inWindow = 0
        private var inLastWindow = 0
        private var averageMillis = Double.NaN

        fun begun(now: ComparableTimeMark, jobs: Int) {
            turn(now)
            inWindow += jobs
        }

        fun ended(millis: Double) {
            averageMillis = if (averageMillis.isNaN()) millis else averageMillis + (millis - averageMillis) * WEIGHT
        }

        fun ahead(now: ComparableTimeMark): Int {
            turn(now)
            // Also false before the first handler has ended.
            return if (averageMillis <= SLOW) minOf(inWindow + inLastWindow, MOST) else 0
        }

        private fun turn(now: ComparableTimeMark) {
            if (now < windowEnd) return
            inLastWindow = if (now - windowEnd < WINDOW) inWindow else 0
            inWindow = 0
            windowEnd = now + WINDOW
        }
    }

    private companion object {
        val WINDOW = 100.milliseconds

        const val MICROS_PER_MILLI = 1_000.0

        /** In milliseconds. */
        const val SLOW = 100.0

        /** The weight of the last handler in the average. */
        const val WEIGHT = 0.1

        /** More do not make claims cheaper. */
        const val MOST = 1_000
    }
}
