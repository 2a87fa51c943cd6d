package io.runledger.exposed.schedule

import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * A recurrence that delays each instant by up to [most]. The delay of an instant is always the same for the same schedule. If a
 * delay moves an instant past its successors, the delayed instants determine the order.
 */
internal class JitteredRecurrence(private val bases: Recurrence, private val scheduleId: UUID, private val most: Duration) :
    Recurrence {
    override fun next(after: Instant): Instant? {
        var best: Instant? = null
        var base = bases.next(after.minus(lookBack(after)))
        while (base != null && (best == null || base < best)) {
            val delayed = delayed(base)
            if (delayed > after && (best == null || delayed < best)) best = delayed
            base = bases.next(base)
        }
        return best
    }

    /** [base] with its delay. */
    fun delayed(base: Instant): Instant = base.plusSeconds(jitterSeconds(scheduleId, base, most.seconds))

    // An instant that is still ahead was due at most the longest delay ago. If there are thousands of such instants, the latest
    // thousand are enough to find the next one.
    private fun lookBack(after: Instant): Duration {
        if (most.isZero) return Duration.ZERO
        val first = bases.next(after) ?: return most
        val second = bases.next(first) ?: return most
        return minOf(most, Duration.between(first, second).multipliedBy(LOOK_BACK)).plusMillis(1)
    }

    private companion object {
        const val LOOK_BACK = 1_000L
    }
}

/**
 * The id as an unsigned number of 128 bits, its low half mixed with the epoch milliseconds of [base], modulo one more than
 * [most].
 */
internal fun jitterSeconds(scheduleId: UUID, base: Instant, most: Long): Long {
    if (most <= 0) return 0
    val divisor = most + 1
    val high = java.lang.Long.remainderUnsigned(scheduleId.mostSignificantBits, divisor)
    val low = java.lang.Long.remainderUnsigned(scheduleId.leastSignificantBits xor base.toEpochMilli(), divisor)
    val wrap = (java.lang.Long.remainderUnsigned(-1L, divisor) + 1) % divisor
    return (high * wrap + low) % divisor
}
