package io.runledger.exposed.schedule

import java.time.Duration
import java.time.Instant

/** The instants a schedule asks for, in order. */
internal fun interface Rhythm {
    /** The first instant strictly after [after], or null when there is none any more. */
    fun next(after: Instant): Instant?
}

/** Every [interval], counted from [anchor], which is itself the first. */
internal class IntervalRhythm(private val anchor: Instant, private val interval: Duration) : Rhythm {
    override fun next(after: Instant): Instant {
        if (after < anchor) return anchor
        val passed = Duration.between(anchor, after).seconds / interval.seconds
        return anchor.plusSeconds((passed + 1) * interval.seconds)
    }
}
