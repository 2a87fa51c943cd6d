package io.runledger.exposed.metrics

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import java.time.Duration

/**
 * Windows of time that end now. A read of ended attempts has a bound on their number. If a window has more, a shorter one is read
 * instead, so that the numbers cover every attempt of the window that they name.
 */
internal object AttemptWindows {
    private val shorter = listOf(
        Duration.ofDays(1),
        Duration.ofHours(6),
        Duration.ofHours(1),
        Duration.ofMinutes(10),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
    )
    private val shortest = Duration.ofSeconds(1)

    /** The longest window of a read that has a bound on its rows. */
    val longest: Duration = Duration.ofDays(7)

    /** Throws `request.invalid` unless [window] is a second to [longest]. */
    fun require(window: Duration, longest: Duration = this.longest): Duration {
        if (window !in shortest..longest) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The window is $window: give $shortest to $longest.")
        }
        return window
    }

    /** The first result of [read], for [asked] and then for shorter windows. Null if even the shortest has too many attempts. */
    fun <T : Any> firstReadable(asked: Duration, read: (Duration) -> T?): T? =
        (sequenceOf(asked) + shorter.asSequence().filter { it < asked }).firstNotNullOfOrNull(read)
}
