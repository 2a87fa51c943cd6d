package io.runledger.console.picture

import java.time.Duration
import kotlin.math.ceil

/**
 * How many durations lie in each bucket.
 *
 * @property bounds bounds of the buckets, ascending; one more than there are buckets
 * @property counts number of durations in each bucket
 * @property percentiles names and values of percentiles, ascending, for example `p95`
 */
public class DurationCounts(bounds: List<Duration>, counts: List<Long>, percentiles: Map<String, Duration>) {
    @get:JvmName("bounds")
    public val bounds: List<Duration> = bounds.toList()

    @get:JvmName("counts")
    public val counts: List<Long> = counts.toList()

    @get:JvmName("percentiles")
    public val percentiles: Map<String, Duration> = percentiles.toMap()

    /** The number of all durations. */
    @get:JvmName("total")
    public val total: Long = this.counts.sum()

    init {
        require(this.counts.isEmpty() || this.bounds.size == this.counts.size + 1) {
            "There are ${this.bounds.size} bounds for ${this.counts.size} buckets: use one more bound than buckets."
        }
        require(this.bounds.zipWithNext().all { (low, high) -> low < high }) { "The bounds do not ascend: $bounds." }
        require(this.counts.all { it >= 0 }) { "A count is negative: $counts." }
    }

    public companion object {
        private const val SMALLEST_BUCKETS = 6
        private val PERCENTILES = mapOf("p50" to 0.50, "p95" to 0.95, "p99" to 0.99)

        /**
         * Bounds from 1 ms to 100 days: 1, 2 and 5 times each power of ten of a second or less, then common parts of hours and
         * days.
         */
        private val BOUNDS: List<Duration> = listOf(0L, 1, 2, 5, 10, 20, 50, 100, 200, 500).map { Duration.ofMillis(it) } +
            listOf(1L, 2, 5, 10, 20, 30).map { Duration.ofSeconds(it) } +
            listOf(1L, 2, 5, 10, 20, 30).map { Duration.ofMinutes(it) } +
            listOf(1L, 2, 4, 8, 12).map { Duration.ofHours(it) } +
            listOf(1L, 2, 5, 10, 20, 50, 100).map { Duration.ofDays(it) }

        /** Counts durations. A negative duration counts as zero, and one over 100 days belongs to the last bucket. */
        @JvmStatic
        public fun of(durations: Collection<Duration>): DurationCounts {
            if (durations.isEmpty()) {
                return DurationCounts(emptyList(), emptyList(), emptyMap())
            }
            val sorted = durations.map { if (it.isNegative) Duration.ZERO else it }.sorted()
            val places = sorted.map { duration -> BOUNDS.indexOfLast { it <= duration }.coerceAtMost(BOUNDS.size - 2) }
            val first = places.first().coerceAtMost(BOUNDS.size - 1 - SMALLEST_BUCKETS)
            val last = places.last().coerceAtLeast(first + SMALLEST_BUCKETS - 1)
            val counts = LongArray(last - first + 1)
            places.forEach { counts[it - first]++ }
            val percentiles = PERCENTILES.mapValues { (_, share) ->
                sorted[(ceil(share * sorted.size).toInt() - 1).coerceAtLeast(0)]
            }
            return DurationCounts(BOUNDS.subList(first, last + 2), counts.toList(), percentiles)
        }
    }
}
