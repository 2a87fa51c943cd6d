package io.runledger.console.picture.svg

/**
 * A size of text, as the classes of the style sheet set it.
 *
 * The server does not know the font of the reader, so widths are estimates from the wider of the usual fonts: with another
 * font, a text is a little shorter than its place, and never longer.
 */
internal enum class Font(private val size: Double, private val weight: Double) {
    NAME(13.0, 1.08),
    LABEL(12.0, 1.0),
    DETAIL(11.0, 1.0),
    ;

    fun widthOf(text: String): Double {
        var width = 0.0
        text.codePoints().forEach { width += widthOf(it) }
        return width * size * weight
    }

    private fun widthOf(point: Int): Double = when {
        point < ASCII.size -> ASCII[point]
        isMark(point) -> 0.0
        isWide(point) -> 1.05
        Character.isUpperCase(point) -> 0.72
        else -> 0.65
    }

    private companion object {
        val ASCII = DoubleArray(128) { point ->
            when (point.toChar()) {
                in "iIjl.,:;'|!" -> 0.35
                in "ftr()[]{}/\\- \"`" -> 0.43
                in "mwMW@%" -> 0.98
                in 'A'..'Z' -> 0.72
                else -> 0.64
            }
        }

        fun isMark(point: Int): Boolean = when (Character.getType(point).toByte()) {
            Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> true
            else -> false
        }

        fun isWide(point: Int): Boolean =
            point in 0x1100..0x115F || point in 0x2E80..0xA4CF || point in 0xAC00..0xD7A3 || point in 0xF900..0xFAFF ||
                point in 0xFE30..0xFE4F || point in 0xFF00..0xFF60 || point in 0xFFE0..0xFFE6 || point >= 0x1F000
    }
}
