package io.runledger.exposed.schedule

import java.time.Duration
import java.time.Instant

/** The instants of a schedule, in order. */
internal fun interface Recurrence {
    /** The first instant strictly after [after], or null if there is none. */
    fun next(after: Instant): Instant?
}

/** Every [interval], counted from [anchor], which is the first instant. */
internal class IntervalRecurrence(private val anchor: Instant, private val interval: Duration) : Recurrence {
    override fun next(after: Instant): Instant {
        if (after < anchor) return anchor
        val passed = Duration.between(anchor, after).seconds / interval.seconds
        return anchor.plusSeconds((passed + 1) * interval.seconds)
    }
}
