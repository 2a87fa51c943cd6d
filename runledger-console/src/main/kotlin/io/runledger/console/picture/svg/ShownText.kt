package io.runledger.console.picture.svg

import java.text.BreakIterator
import java.util.Locale

private const val ZERO_WIDTH_NON_JOINER = 0x200C
private const val ZERO_WIDTH_JOINER = 0x200D
private const val ISOLATE = '\u2068'
private const val END_OF_ISOLATE = '\u2069'
private const val ELLIPSIS = "…"
private const val HEAD_SHARE = 0.6

/**
 * Text of the ledger as it is shown: invisible characters, which could hide or turn text, are written as character codes. Joiners
 * stay, because emoji and some scripts need them. Text with letters that run from right to left is isolated, so that it cannot
 * change the order of the text around it.
 */
internal fun shown(raw: String): String {
    if (raw.all { it in ' '..'~' }) {
        return raw
    }
    val text = StringBuilder(raw.length)
    var turns = false
    raw.codePoints().forEach { point ->
        if (isInvisible(point)) {
            text.append(
                if (Character.isBmpCodePoint(
                        point,
                    )
                ) {
                    "\\u%04x".format(Locale.ROOT, point)
                } else {
                    "\\u{%x}".format(Locale.ROOT, point)
                },
            )
        } else {
            text.appendCodePoint(point)
            turns = turns || isRightToLeft(point)
        }
    }
    return if (turns) "$ISOLATE$text$END_OF_ISOLATE" else text.toString()
}

/**
 * The text if it fits into [width], and otherwise its beginning and its end with an ellipsis between them: the names of similar
 * steps often differ only at the end. [text] has passed [shown].
 */
internal fun cutInside(text: String, width: Double, font: Font): String = cut(text, width, font, HEAD_SHARE)

/** The text if it fits into [width], and otherwise its beginning with an ellipsis. [text] has passed [shown]. */
internal fun cutEnd(text: String, width: Double, font: Font): String = cut(text, width, font, headShare = 1.0)

private fun cut(text: String, width: Double, font: Font, headShare: Double): String {
    if (font.widthOf(text) <= width) {
        return text
    }
    val isIsolated = text.firstOrNull() == ISOLATE
    val letters = letters(if (isIsolated) text.substring(1, text.length - 1) else text)
    val room = width - font.widthOf(ELLIPSIS)
    var head = 0
    var headWidth = 0.0
    while (head < letters.size && headWidth + font.widthOf(letters[head]) <= room * headShare) {
        headWidth += font.widthOf(letters[head++])
    }
    var tail = letters.size
    var tailWidth = 0.0
    while (headShare < 1.0 && tail > head && headWidth + tailWidth + font.widthOf(letters[tail - 1]) <= room) {
        tailWidth += font.widthOf(letters[--tail])
    }
    val left = letters.subList(0, head).joinToString("") + ELLIPSIS + letters.subList(tail, letters.size).joinToString("")
    return if (isIsolated) "$ISOLATE$left$END_OF_ISOLATE" else left
}

/** The characters as a reader sees them: a letter with its accents is one. */
private fun letters(text: String): List<String> {
    val breaks = BreakIterator.getCharacterInstance(Locale.ROOT)
    breaks.setText(text)
    val letters = mutableListOf<String>()
    var from = breaks.first()
    var to = breaks.next()
    while (to != BreakIterator.DONE) {
        letters += text.substring(from, to)
        from = to
        to = breaks.next()
    }
    return letters
}

private fun isInvisible(point: Int): Boolean = when (Character.getType(point).toByte()) {
    Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> true
    Character.FORMAT -> point != ZERO_WIDTH_JOINER && point != ZERO_WIDTH_NON_JOINER
    else -> point == 0xFFFE || point == 0xFFFF
}

private fun isRightToLeft(point: Int): Boolean = when (Character.getDirectionality(point)) {
    Character.DIRECTIONALITY_RIGHT_TO_LEFT, Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC -> true
    else -> false
}
