package io.runledger.console.visit

import java.io.ByteArrayOutputStream

/**
 * A name as one part of a path. Servers treat an encoded slash, dot or semicolon of a path in different ways, and some refuse it.
 * So a character other than a letter, a digit, a hyphen, an underscore or a dot is written as a tilde and the two digits of each
 * of its bytes.
 */
internal object PathPart {
    fun of(name: String): String = when {
        name == "." || name == ".." -> name.replace(".", "~2e")

        name.all(::isPlain) -> name

        else -> name.toByteArray().joinToString("") { byte ->
            val char = Char(byte.toInt() and BYTE)
            if (isPlain(char)) "$char" else "~%02x".format(byte)
        }
    }

    /** The name that [part] stands for; null if no name is written like that. */
    fun nameOf(part: String): String? {
        if ('~' !in part) return part
        val given = part.toByteArray()
        val name = ByteArrayOutputStream(given.size)
        var at = 0
        while (at < given.size) {
            val isWritten = given[at] == '~'.code.toByte()
            name.write(if (isWritten) byteAt(given, at + 1) ?: return null else given[at].toInt())
            at += if (isWritten) 3 else 1
        }
        return name.toString(Charsets.UTF_8)
    }

    private fun byteAt(bytes: ByteArray, at: Int): Int? {
        if (bytes.size < at + 2) return null
        val high = Character.digit(Char(bytes[at].toInt() and BYTE), RADIX)
        val low = Character.digit(Char(bytes[at + 1].toInt() and BYTE), RADIX)
        return if (high < 0 || low < 0) null else high * RADIX + low
    }

    private fun isPlain(char: Char) =
        char in 'a'..'z' || char in 'A'..'Z' || char in '0'..'9' || char == '-' || char == '_' || char == '.'

    private const val BYTE = 0xff
    private const val RADIX = 16
}
