package io.runledger.console.form

import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.format.DateTimeParseException
import java.util.Locale

private val LOCAL = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT)

/** The text of [at] in UTC as an input for dates and times holds it. */
internal fun localText(at: Instant): String = LOCAL.format(at.atOffset(ZoneOffset.UTC))

/**
 * The instant that [local] names in [zone]. A time that occurs twice, when clocks are set back, is the first of the two. A time
 * that is skipped when they are set forward is refused.
 */
internal fun instantOf(field: String, local: String, zone: String): Instant {
    val at = timeOf(field, local)
    val offset = zoneOf(field, zone).rules.getValidOffsets(at).firstOrNull()
        ?: throw FieldProblem(field, "$local does not exist in $zone, because clocks are set forward then. Enter another time.")
    return at.toInstant(offset)
}

private fun timeOf(field: String, text: String): LocalDateTime = try {
    LocalDateTime.parse(text)
} catch (_: DateTimeParseException) {
    throw FieldProblem(field, "“$text” is not a date and a time. Enter both, for example 2026-11-19T09:30.")
}

private fun zoneOf(field: String, text: String): ZoneId = try {
    ZoneId.of(text)
} catch (_: DateTimeException) {
    throw FieldProblem(field, "“$text” is not a time zone. Enter UTC, or a name such as Europe/Berlin.")
}
