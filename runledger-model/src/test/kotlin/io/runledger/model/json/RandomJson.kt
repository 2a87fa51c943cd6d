package io.runledger.model.json

import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import kotlin.random.Random

/** Well-formed JSON of every kind of value, with white space in all permitted places. */
internal val anyJson: Arb<String> = arbitrary { source -> RandomJson(source.random).value(4) }

private class RandomJson(private val random: Random) {
    fun value(depth: Int): String = space() +
        when (random.nextInt(if (depth > 0) 7 else 5)) {
            0 -> "true"
            1 -> "false"
            2 -> "null"
            3 -> number()
            4 -> string()
            5 -> many(depth, "[", "]") { value(depth - 1) }
            else -> many(depth, "{", "}") { space() + string() + space() + ":" + value(depth - 1) }
        } + space()

    private fun many(depth: Int, open: String, close: String, item: () -> String): String =
        List(random.nextInt(depth + 1)) { item() }.joinToString(",", open + space(), close)

    private fun number(): String {
        val sign = if (random.nextBoolean()) "-" else ""
        val whole = if (random.nextInt(4) == 0) "0" else "${random.nextInt(1, 10)}" + digits(0)
        val fraction = if (random.nextBoolean()) "." + digits(1) else ""
        val exponent = if (random.nextBoolean()) "eE".random(random) + listOf("", "+", "-").random(random) + digits(1) else ""
        return sign + whole + fraction + exponent
    }

    private fun digits(least: Int): String = List(random.nextInt(least, 5)) { random.nextInt(10) }.joinToString("")

    private fun string(): String = List(random.nextInt(6)) { pieces.random(random) }.joinToString("", "\"", "\"")

    private fun space(): String = if (random.nextInt(4) == 0) " \t\n\r".random(random).toString() else ""
}

private val pieces =
    listOf(
        "a", "Z", "0", " ", "é", "€", "😀", "{", "]", ",", ":", "/", "\u007F", "\u2028", "\uFFFF",
        "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0001", "\\u00e9", "\\uABCD", "\\ud83d\\ude00",
        "\\uD83D\\uDE00",
    )
