package io.runledger.console.picture.svg

/**
 * Writes SVG. All escaping is here: a text or an attribute value cannot end its element or attribute, and a character that XML
 * does not allow is replaced. An attribute whose value is null is left out.
 */
internal class SvgWriter {
    private val out = StringBuilder()

    fun empty(name: String, vararg attributes: Pair<String, Any?>) {
        open(name, attributes)
        out.append("/>")
    }

    inline fun element(name: String, vararg attributes: Pair<String, Any?>, content: () -> Unit) {
        start(name, attributes)
        content()
        end(name)
    }

    /** A group at a place. */
    inline fun at(x: Double, y: Double, vararg attributes: Pair<String, Any?>, content: () -> Unit) {
        element("g", "transform" to "translate(${number(x)} ${number(y)})", *attributes) { content() }
    }

    /** A link, or a group if there is no address. */
    inline fun link(href: String?, label: String, vararg attributes: Pair<String, Any?>, content: () -> Unit) {
        if (href == null) {
            element("g", *attributes) { content() }
        } else {
            element("a", "href" to href, "aria-label" to label, *attributes) { content() }
        }
    }

    fun title(text: String) {
        element("title") { text(text) }
    }

    fun label(text: String, x: Double, y: Double, vararg attributes: Pair<String, Any?>) {
        element("text", "x" to x, "y" to y, *attributes) { text(text) }
    }

    fun icon(icon: Icon, x: Double, y: Double, size: Double, look: String) {
        val scale = if (size == Icon.SIZE) "" else " scale(${number(size / Icon.SIZE)})"
        empty("path", "class" to "rl-icon $look", "transform" to "translate(${number(x)} ${number(y)})$scale", "d" to icon.path)
    }

    fun text(text: String) {
        escape(text)
    }

    /** Text that is written as it is: a style sheet of this module. */
    fun style(sheet: String) {
        start("style", emptyArray())
        out.append(sheet)
        end("style")
    }

    fun start(name: String, attributes: Array<out Pair<String, Any?>>) {
        open(name, attributes)
        out.append('>')
    }

    fun end(name: String) {
        out.append("</").append(name).append('>')
    }

    override fun toString(): String = out.toString()

    private fun open(name: String, attributes: Array<out Pair<String, Any?>>) {
        out.append('<').append(name)
        for ((attribute, value) in attributes) {
            if (value != null) {
                out.append(' ').append(attribute).append("=\"")
                escape(if (value is Double) number(value) else value.toString())
                out.append('"')
            }
        }
    }

    private fun escape(text: String) {
        text.codePoints().forEach { point ->
            when {
                point == '&'.code -> out.append("&amp;")
                point == '<'.code -> out.append("&lt;")
                point == '>'.code -> out.append("&gt;")
                point == '"'.code -> out.append("&quot;")
                point == '\''.code -> out.append("&#39;")
                isForbidden(point) && point != '\n'.code -> out.append('\uFFFD')
                else -> out.appendCodePoint(point)
            }
        }
    }

    private fun isForbidden(point: Int): Boolean =
        point < 0x20 || point in 0x7F..0x9F || point in 0xD800..0xDFFF || point == 0xFFFE || point == 0xFFFF
}
