package io.runledger.console.screen.jobs

import java.time.DateTimeException
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit

private val AGO = Regex("""(\d{1,6})\s*(s|min|m|h|d|w)""")

/**
 * The instant that [text] means: a date, a time in UTC or with an offset, or how long ago, such as `90 min`. Null if it is none
 * of these. A time ago is rounded down to the minute, so that the viewers of a page share one read.
 */
internal fun filterTime(text: String, now: Instant): Instant? {
    val ago = AGO.matchEntire(text.trim().lowercase())
    return try {
        if (ago != null) {
            (now - unit(ago.groupValues[2]).multipliedBy(ago.groupValues[1].toLong())).truncatedTo(ChronoUnit.MINUTES)
        } else {
            instant(text.trim().replace(' ', 'T').removeSuffix("TUTC"))
        }
    } catch (_: DateTimeException) {
        null
    }
}

private fun unit(name: String): Duration = when (name) {
    "s" -> Duration.ofSeconds(1)
    "m", "min" -> Duration.ofMinutes(1)
    "h" -> Duration.ofHours(1)
    "d" -> Duration.ofDays(1)
    else -> Duration.ofDays(7)
}

private fun instant(text: String): Instant = when {
    'T' !in text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
    text.endsWith('Z') || text.substringAfter('T').any { it == '+' || it == '-' } -> OffsetDateTime.parse(text).toInstant()
    else -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)
}
