package io.runledger.exposed.await

/** Fixed instants at equal distances from the beginning: however long what lies between takes, none of them moves. */
internal class Ticks(private val intervalNanos: Long, private val clock: () -> Long = System::nanoTime) {
    private val start = clock()
    private var next = intervalNanos

    fun untilNext(): Long = next - (clock() - start)

    /** On to the first instant that lies ahead; those that were missed are not made up for. */
    fun advance() {
        val missed = (clock() - start - next).coerceAtLeast(0) / intervalNanos
        val step = (missed + 1) * intervalNanos
        next = if (next > Long.MAX_VALUE - step) Long.MAX_VALUE else next + step
    }
}
