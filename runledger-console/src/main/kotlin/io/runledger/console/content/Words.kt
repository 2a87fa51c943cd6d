package io.runledger.console.content

import java.time.Duration
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.Locale

private val TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC)

/** `2026-11-19 09:30:00 UTC`. */
internal fun Instant.inUtc(): String = "${TIME.format(this)} UTC"

/** `3 min ago`, `in 2 h`, `now`. */
internal fun Instant.from(now: Instant): String {
    val distance = Duration.between(this, now)
    return when {
        distance.abs() < Duration.ofSeconds(1) -> "now"
        distance.isNegative -> "in ${distance.negated().inWords()}"
        else -> "${distance.inWords()} ago"
    }
}

/** The two greatest units: `4.2 ms`, `3.1 s`, `5 min 3 s`, `2 h 10 min`, `3 d 4 h`. */
internal fun Duration.inWords(): String {
    val millis = exactNanos() / 1e6
    return when {
        millis < 10 -> String.format(Locale.ROOT, "%.1f ms", millis)
        millis < 1000 -> "${millis.toLong()} ms"
        seconds < 10 -> String.format(Locale.ROOT, "%.1f s", millis / 1000)
        seconds < 60 -> "$seconds s"
        toMinutes() < 60 -> two(toMinutes(), "min", seconds % 60, "s")
        toHours() < 24 -> two(toHours(), "h", toMinutes() % 60, "min")
        else -> two(toDays(), "d", toHours() % 24, "h")
    }
}

private fun Duration.exactNanos(): Double = seconds * 1e9 + nano

private fun two(great: Long, unit: String, small: Long, smallUnit: String) =
    if (small == 0L) "$great $unit" else "$great $unit $small $smallUnit"

/** `1,234,567`. */
internal fun Long.grouped(): String = String.format(Locale.ROOT, "%,d", this)

/** `512 B`, `1.5 KiB`, `3.2 GiB`. */
internal fun Long.inBytes(): String {
    if (this < KIBI) return "$this B"
    var size = toDouble() / KIBI
    var unit = 0
    while (size >= KIBI && unit < UNITS.lastIndex) {
        size /= KIBI
        unit++
    }
    return String.format(Locale.ROOT, if (size < 10) "%.1f %s" else "%.0f %s", size, UNITS[unit])
}

/** `1 job`, `2 jobs`. */
internal fun Long.of(singular: String, plural: String = "${singular}s"): String =
    "${grouped()} ${if (this == 1L) singular else plural}"

/** `WAITING_FOR_EXTERNAL` as `waiting for external`. */
internal fun Enum<*>.inWords(): String = name.lowercase().replace('_', ' ')

/** Text of the ledger without characters that change how the text around them looks: they are written as their code. */
internal fun shownText(text: String): String {
    if (text.none { it.isHidden() }) return text
    return buildString(text.length + 16) {
        text.forEach {
            if (it.isHidden()) append("⟨U+").append(String.format(Locale.ROOT, "%04X", it.code)).append("⟩") else append(it)
        }
    }
}

private fun Char.isHidden(): Boolean = (this < ' ' && this != '\n' && this != '\t') || this == '\u007f' ||
    this in '\u200b'..'\u200f' || this in '\u202a'..'\u202e' || this in '\u2060'..'\u2069' || this == '\ufeff'

private const val KIBI = 1024
private val UNITS = listOf("KiB", "MiB", "GiB", "TiB", "PiB")
