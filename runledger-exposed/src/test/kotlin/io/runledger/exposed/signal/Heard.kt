package io.runledger.exposed.signal

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** Records the signals that it receives. */
class Heard : SignalSubscriber {
    private val signals = LinkedBlockingQueue<Signal>()

    override fun on(signal: Signal) {
        signals.add(signal)
    }

    /** The next signal, which must be [expected]. */
    fun shouldHear(expected: Signal) = withClue("the next signal") { signals.poll(1, TimeUnit.MINUTES) shouldBe expected }

    fun shouldHaveHeardNothing() = signals.toList().shouldBeEmpty()

    /** Waits for [expected] and ignores earlier signals. */
    fun await(expected: Signal) {
        do {
            val next = withClue("waiting for $expected") { checkNotNull(signals.poll(1, TimeUnit.MINUTES)) { "nothing came" } }
        } while (next != expected)
    }
}
