@file:JvmName("Waiting")

package io.runledger.test

import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import java.util.function.BooleanSupplier
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

/**
 * Returns as soon as [condition] holds, for what a test cannot be told of. It looks every few milliseconds and does not occupy
 * the thread between. After [patience], the call fails with an [AssertionError] that names [what] did not happen, so that a test
 * never hangs.
 */
@JvmSynthetic
@JvmName("untilSuspending")
public suspend fun until(what: String, patience: Duration = standardPatience, condition: suspend () -> Boolean) {
    val isMet = withTimeoutOrNull(patience) {
        while (!condition()) delay(lookAgainAfter)
        true
    }
    if (isMet == null) throw AssertionError("Waited in vain for $patience until $what.")
}

/** Java's door to `until`: it blocks the thread. In Kotlin, for code that does not suspend. */
@JvmName("until")
@JvmOverloads
public fun blockUntil(
    what: String,
    patience: java.time.Duration = standardPatience.toJavaDuration(),
    condition: BooleanSupplier,
): Unit = runBlocking { until(what, patience.toKotlinDuration()) { condition.asBoolean } }

private val standardPatience = 2.minutes
private val lookAgainAfter = 5.milliseconds
