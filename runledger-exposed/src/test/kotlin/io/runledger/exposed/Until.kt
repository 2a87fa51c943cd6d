package io.runledger.exposed

import java.time.Duration

private val LIMIT = Duration.ofMinutes(1)

/** Returns as soon as [condition] holds; a test that waits in vain fails and says for [what], instead of hanging the build. */
fun until(what: String, condition: () -> Boolean) {
    val start = System.nanoTime()
    while (!condition()) {
        if (System.nanoTime() - start > LIMIT.toNanos()) throw AssertionError("Waited in vain until $what.")
        Thread.onSpinWait()
    }
}
