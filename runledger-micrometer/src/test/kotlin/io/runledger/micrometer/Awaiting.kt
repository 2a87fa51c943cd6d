package io.runledger.micrometer

import kotlinx.coroutines.delay
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** Returns when [condition] holds; a test that waits in vain fails and says for [what]. */
internal suspend fun until(what: String, condition: () -> Boolean) {
    withTimeoutOrNull(2.minutes) {
        while (!condition()) delay(10.milliseconds)
        true
    } ?: throw AssertionError("Waited in vain until $what.")
}
