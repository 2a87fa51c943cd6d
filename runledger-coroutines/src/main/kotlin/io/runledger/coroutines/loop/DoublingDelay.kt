package io.runledger.coroutines.loop

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** A delay that doubles with each call of [next], from [first] up to [longest], until [reset]. */
internal class DoublingDelay(private val first: Duration, private val longest: Duration) {
    private var current = first

    @Synchronized
    fun next(): Duration = current.also { current = minOf(current * 2, longest) }

    @Synchronized
    fun reset() {
        current = first
    }

    companion object {
        /** The delays between retries. */
        fun ofRetries(): DoublingDelay = DoublingDelay(100.milliseconds, 5.seconds)
    }
}
