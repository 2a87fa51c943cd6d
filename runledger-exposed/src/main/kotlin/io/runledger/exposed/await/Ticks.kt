package io.runledger.exposed.await

/** Instants at a fixed interval from the start. The duration of the work between two ticks does not move later ticks. */
internal class Ticks(private val intervalNanos: Long, private val clock: () -> Long = System::nanoTime) {
    private val start = clock()
    private var next = intervalNanos

    fun untilNext(): Long = next - (clock() - start)

    /** Moves to the next tick in the future and skips missed ticks. */
    fun advance() {
        val missed = (clock() - start - next).coerceAtLeast(0) / intervalNanos
        val step = (missed + 1) * intervalNanos
        next = if (next > Long.MAX_VALUE - step) Long.MAX_VALUE else next + step
    }
}
