package io.runledger.console.screen.overview

import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.nav
import java.time.Duration

/** How far back throughput and failures go. The lengths of the buckets are round numbers of minutes or hours. */
internal enum class Period(val value: String, val words: String, val window: Duration, val buckets: Int) {
    HOUR("1h", "hour", Duration.ofHours(1), 60),
    SIX_HOURS("6h", "6 hours", Duration.ofHours(6), 72),
    DAY("24h", "24 hours", Duration.ofHours(24), 96),
    WEEK("7d", "7 days", Duration.ofDays(7), 84),
    ;

    val label: String get() = if (this == HOUR) "1 hour" else words

    companion object {
        private const val PARAMETER = "period"

        /** The period that the address names; an hour if it names none that is known. */
        fun of(visit: Visit): Period = entries.find { it.value == visit.query[PARAMETER] } ?: HOUR

        /** Links to the same page with each period. */
        fun FlowContent.periods(visit: Visit, current: Period) = nav("tabs") {
            attributes["aria-label"] = "Period"
            entries.forEach { period ->
                a(href = visit.linkHere(PARAMETER to period.value.takeUnless { period == HOUR })) {
                    if (period == current) attributes["aria-current"] = "true"
                    +period.label
                }
                // Without the style sheet the links would run together.
                +" "
            }
        }
    }
}
