package io.runledger.exposed

import java.time.Duration
import java.util.concurrent.locks.LockSupport

private val LIMIT = Duration.ofMinutes(2)
private const val LOOK_AGAIN_NANOS = 500_000L

/** Returns as soon as [condition] holds; a test that waits in vain fails and says for [what], instead of hanging the build. */
fun until(what: String, condition: () -> Boolean) {
    val start = System.nanoTime()
    while (!condition()) {
        if (System.nanoTime() - start > LIMIT.toNanos()) throw AssertionError("Waited in vain until $what.")
        // Leaves the core to the code that the test waits for.
        LockSupport.parkNanos(LOOK_AGAIN_NANOS)
    }
}
