package io.runledger.console.picture.scale

import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.Locale

private val format = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ENGLISH)

// The name of an offset of zero would be "Z".
private val utc = ZoneId.of("UTC")

/** An instant with its date and its zone, for a tooltip. */
internal fun shownTime(at: Instant, zone: ZoneId): String =
    format.format(at.atZone(if (zone.normalized() == ZoneOffset.UTC) utc else zone))
