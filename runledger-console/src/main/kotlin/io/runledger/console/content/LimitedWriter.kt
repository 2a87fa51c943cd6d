package io.runledger.console.content

import java.io.Writer

/** Keeps the first [limit] characters that are written, and ignores the others. */
internal class LimitedWriter(private val limit: Int) : Writer() {
    private val text = StringBuilder()

    /** Whether characters were ignored. */
    var isFull = false
        private set

    override fun write(buffer: CharArray, offset: Int, length: Int) {
        val kept = minOf(length, limit - text.length)
        text.append(buffer, offset, kept)
        if (kept < length) isFull = true
    }

    override fun flush() = Unit

    override fun close() = Unit

    override fun toString(): String = text.toString()
}
