package io.runledger.console.picture

import java.time.Duration
import java.time.Instant

/**
 * Counts over time, for a chart of bars.
 *
 * @property from begin of the first bucket
 * @property bucket length of a bucket, more than zero
 * @property series what is stacked, from the bottom to the top; all have the same number of counts
 */
public data class Bars(
    @get:JvmName("from") public val from: Instant,
    @get:JvmName("bucket") public val bucket: Duration,
    @get:JvmName("series") public val series: List<BarSeries>,
) {
    init {
        require(!bucket.isNegative && !bucket.isZero) { "The bucket is $bucket: use more than zero." }
        val sizes = series.map { it.counts.size }.distinct()
        require(sizes.size <= 1) { "The series have $sizes counts: use the same number in each." }
    }

    /** The number of buckets. */
    @get:JvmName("size")
    public val size: Int get() = series.firstOrNull()?.counts?.size ?: 0
}

/**
 * Counts of one kind.
 *
 * @property name what is counted, for example `succeeded`
 * @property tone how the counts look
 * @property counts one count for each bucket, 0 or more
 */
public data class BarSeries(
    @get:JvmName("name") public val name: String,
    @get:JvmName("tone") public val tone: Tone,
    @get:JvmName("counts") public val counts: List<Long>,
) {
    init {
        require(counts.all { it >= 0 }) { "A count of '$name' is ${counts.min()}: use 0 or more." }
    }
}

/** How counts look: by color and by texture. */
public enum class Tone {
    /** Ended well. */
    SUCCEEDED,

    /** Failed, and may be retried. */
    FAILED,

    /** Failed permanently. */
    DEAD,

    /** Goes on. */
    RUNNING,

    /** Waits. */
    WAITING,

    /** Neither good nor bad. */
    PLAIN,
}
