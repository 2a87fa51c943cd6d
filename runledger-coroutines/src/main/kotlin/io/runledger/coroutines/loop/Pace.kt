package io.runledger.coroutines.loop

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Waits that double from [first] up to [longest] until something happens. */
internal class Pace(private val first: Duration, private val longest: Duration) {
    private var current = first

    @Synchronized
    fun next(): Duration = current.also { current = minOf(current * 2, longest) }

    @Synchronized
    fun reset() {
        current = first
    }

    companion object {
        /** Between tries of something that fails. */
        fun ofRetries(): Pace = Pace(100.milliseconds, 5.seconds)
    }
}
