package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import java.math.BigDecimal

/** Reads `jsonb` values. */
internal object StoredJson {
    private const val LONG_NUMBER = 9_000
    private const val LARGEST_EXPONENT = 9_999

    /** [text] as a value to work with. Fails only for a document that exceeds the library's limits, written by other means. */
    fun read(text: String): Json = try {
        readAnyDepth(text).requireStorable()
    } catch (refused: InvalidRequestException) {
        throw beyondLimits(refused)
    }

    /** [text] as a value to show: its depth has no limit. */
    fun readAnyDepth(text: String): Json = try {
        Json(text)
    } catch (refused: InvalidRequestException) {
        readShortened(text, refused)
    }

    // PostgreSQL writes every number without an exponent. A number such as 12e9999 is then longer than the library's limit.
    private fun readShortened(text: String, refused: InvalidRequestException): Json = try {
        Json(withShortNumbers(text))
    } catch (_: InvalidRequestException) {
        throw beyondLimits(refused)
    }

    private fun beyondLimits(refused: InvalidRequestException) = InternalException(
        ErrorCode.DB_QUERY_FAILED,
        "A JSON document in the ledger exceeds the library's limits. It was not written by the library.",
        refused.message,
        refused,
    )

    private fun withShortNumbers(text: String) = buildString(text.length) {
        var at = 0
        while (at < text.length) {
            val end = if (text[at] == '"') endOfString(text, at) else endOfNumber(text, at)
            if (text[at] != '"' &&
                end - at > LONG_NUMBER
            ) {
                append(shortened(text.substring(at, end)))
            } else {
                append(text, at, end)
            }
            at = end
        }
    }

    private fun endOfString(text: String, start: Int): Int {
        var at = start + 1
        while (text[at] != '"') at += if (text[at] == '\\') 2 else 1
        return at + 1
    }

    /** The end of the number at [start], or the next character if there is no number. */
    private fun endOfNumber(text: String, start: Int): Int {
        var at = start
        while (at < text.length && (text[at] in '0'..'9' || text[at] in ".-+eE")) at++
        return maxOf(at, start + 1)
    }

    private fun shortened(number: String): String {
        val exact = BigDecimal(number).stripTrailingZeros()
        val exponent = (-exact.scale()).coerceIn(-LARGEST_EXPONENT, LARGEST_EXPONENT)
        return exact.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent
    }
}
