package io.runledger.exposed.json

import tools.jackson.databind.JsonNode
import java.math.BigDecimal
import kotlin.random.Random

/** Makes JSON texts of every shape, with the white space, escapes and numbers a careless writer would produce. */
class JsonTexts(private val random: Random) {
    fun value(depth: Int): String = space() + when (random.nextInt(if (depth > 4) 5 else 8)) {
        0 -> listOf("true", "false", "null").random(random)
        1, 2 -> number()
        3, 4 -> string()
        5 -> "[]"
        6 -> List(random.nextInt(5)) { value(depth + 1) }.joinToString(",", "[", "]")
        else -> List(random.nextInt(5)) { space() + string() + space() + ":" + value(depth + 1) }.joinToString(",", "{", "}")
    } + space()

    private fun space() = if (random.nextInt(4) == 0) listOf(" ", "\n", "\t", "\r\n").random(random) else ""

    private fun number(): String {
        val sign = if (random.nextBoolean()) "-" else ""
        val whole = if (random.nextBoolean()) "0" else "123456789".random(random) + digits(random.nextInt(25))
        val fraction = if (random.nextBoolean()) "." + digits(1 + random.nextInt(25)) else ""
        val exponent = if (random.nextInt(3) == 0) listOf("e", "E", "e+", "E-", "e-").random(random) + random.nextInt(300) else ""
        return sign + whole + fraction + exponent
    }

    private fun digits(count: Int) = List(count) { random.nextInt(10) }.joinToString("")

    private fun string() = List(random.nextInt(12)) { character() }.joinToString("", "\"", "\"")

    private fun character(): String = when (random.nextInt(7)) {
        0 -> "\\" + "\"\\/bfnrt".random(random)
        1 -> "\\u%04x".format(1 + random.nextInt(0xD7FF))
        2 -> "\\uD%03X\\uDE%02x".format(0x800 + random.nextInt(0x400), random.nextInt(0x100))
        3 -> String(Character.toChars(0x10000 + random.nextInt(0x100000)))
        4 -> Char(0xE000 + random.nextInt(0x2000)).toString()
        5 -> "äß中\u007F\u0085\u2028' ;".random(random).toString()
        else -> ('a'..'z').random(random).toString()
    }
}

/** The value of a JSON text: numbers by value, objects without order, the last of equal members. */
fun meaning(text: String): Any? = meaning(JacksonCodec.standardMapper().readTree(text))

private fun meaning(node: JsonNode): Any? = when {
    node.isObject -> node.properties().associate { it.key to meaning(it.value) }
    node.isArray -> node.values().map(::meaning)
    node.isNumber -> node.decimalValue().let { if (it.signum() == 0) BigDecimal.ZERO else it.stripTrailingZeros() }
    node.isString -> node.stringValue()
    node.isBoolean -> node.booleanValue()
    else -> null
}
