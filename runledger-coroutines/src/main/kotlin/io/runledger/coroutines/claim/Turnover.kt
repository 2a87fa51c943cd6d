package io.runledger.coroutines.claim

import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/**
 * How many jobs of each type the worker may claim ahead of its free slots: as many as its handlers have begun in the last
 * [WINDOW] or two. So the jobs that it holds begin within a fraction of a second. If the handlers of a type take longer than
 * [SLOW] on average, or if none has ended yet, the worker claims none ahead: such jobs would wait here while another worker is
 * idle.
 */
internal class Turnover(private val clock: TimeSource.WithComparableMarks) {
    private val types = HashMap<String, OfType>()

    /** A handler of [jobType] begins with so many [jobs]. */
    @Synchronized
    fun begun(jobType: String, jobs: Int = 1) = of(jobType).begun(jobs)

    /** A handler of [jobType] has ended after [elapsed]. */
    @Synchronized
    fun ended(jobType: String, elapsed: Duration) = of(jobType).ended(elapsed.toDouble(DurationUnit.MILLISECONDS))

    /** How many jobs of [jobType] may be claimed ahead. */
    @Synchronized
    fun ahead(jobType: String): Int = types[jobType]?.ahead() ?: 0

    private fun of(jobType: String) = types.getOrPut(jobType) { OfType() }

    private inner class OfType {
        private var windowEnd: ComparableTimeMark = clock.markNow() + WINDOW
        private var inWindow = 0
        private var inLastWindow = 0
        private var averageMillis = Double.NaN

        fun begun(jobs: Int) {
            turn()
            inWindow += jobs
        }

        fun ended(millis: Double) {
            averageMillis = if (averageMillis.isNaN()) millis else averageMillis + (millis - averageMillis) * WEIGHT
        }

        fun ahead(): Int {
            turn()
            // Also false before the first handler has ended.
            return if (averageMillis <= SLOW) minOf(inWindow + inLastWindow, MOST) else 0
        }

        private fun turn() {
            val late = windowEnd.elapsedNow()
            if (late.isNegative()) return
            inLastWindow = if (late < WINDOW) inWindow else 0
            inWindow = 0
            windowEnd = clock.markNow() + WINDOW
        }
    }

    private companion object {
        val WINDOW = 100.milliseconds

        /** In milliseconds. */
        const val SLOW = 100.0

        /** The weight of the last handler in the average. */
        const val WEIGHT = 0.1

        /** More do not make claims cheaper. */
        const val MOST = 1_000
    }
}
