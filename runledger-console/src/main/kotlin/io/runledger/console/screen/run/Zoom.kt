package io.runledger.console.screen.run

import java.util.Locale

/** How large a picture is shown. Anything larger than the page scrolls. */
internal enum class Zoom(val parameter: String, val label: String, private val factor: Double) {
    FIT("fit", "Fit the page", 1.0),
    HALF("50", "50 %", 0.5),
    NATURAL("100", "100 %", 1.0),
    LARGE("150", "150 %", 1.5),
    DOUBLE("200", "200 %", 2.0),
    ;

    /** The class of the picture's place. */
    val look: String get() = if (this == FIT) "fits" else "scrolls"

    /** Changes the size that [svg] declares; what it shows stays the same. */
    fun applied(svg: String): String {
        if (factor == 1.0) return svg
        val end = svg.indexOf('>')
        return size.replace(svg.substring(0, end)) { found ->
            String.format(Locale.ROOT, "%s=\"%.1f\"", found.groupValues[1], found.groupValues[2].toDouble() * factor)
        } + svg.substring(end)
    }

    companion object {
        private val size = Regex("\\b(width|height)=\"([0-9.]+)\"")

        fun of(parameter: String?): Zoom = entries.firstOrNull { it.parameter == parameter } ?: NATURAL
    }
}
