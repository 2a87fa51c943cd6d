package io.runledger.console.picture

import io.runledger.console.picture.svg.StyleSheet
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.number

/**
 * The frame of every picture.
 *
 * @property kind class of the picture
 * @property title accessible name; already safe to show
 */
internal class Frame(
    private val kind: String,
    private val title: String,
    private val description: String,
    private val width: Double,
    private val height: Double,
    private val hasLinks: Boolean = false,
) {
    fun draw(options: PictureOptions, content: SvgWriter.() -> Unit): String {
        val svg = SvgWriter()
        svg.element(
            "svg",
            "xmlns" to "http://www.w3.org/2000/svg",
            "class" to "rl-picture $kind",
            "width" to width,
            "height" to height,
            "viewBox" to "0 0 ${number(width)} ${number(height)}",
            // An image has no parts for assistive technology, so that its links would be lost.
            "role" to if (hasLinks) "group" else "img",
            "aria-label" to title,
        ) {
            svg.title(title)
            svg.element("desc") { svg.text(description) }
            if (options.standalone) {
                svg.style(sheet(options.theme))
                svg.empty("rect", "class" to "rl-background", "width" to width, "height" to height)
            }
            svg.content()
        }
        return svg.toString()
    }

    private fun sheet(theme: PictureTheme): String = when (theme) {
        PictureTheme.AUTO -> StyleSheet.auto
        PictureTheme.LIGHT -> StyleSheet.light
        PictureTheme.DARK -> StyleSheet.dark
    }
}
