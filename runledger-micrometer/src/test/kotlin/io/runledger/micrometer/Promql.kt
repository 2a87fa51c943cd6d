package io.runledger.micrometer

/** The part of PromQL that the dashboard and the alert rules use. The parser refuses everything else. */
internal sealed interface Promql {
    val parts: List<Promql>

    data class Matcher(val label: String, val operator: String, val value: String) {
        fun matches(labels: Map<String, String>): Boolean {
            val own = labels[label].orEmpty()
            return when (operator) {
                "=" -> own == value
                "!=" -> own != value
                "=~" -> Regex(value).matches(own)
                else -> !Regex(value).matches(own)
            }
        }
    }

    data class Selector(val metric: String, val matchers: List<Matcher>, val range: String?) : Promql {
        override val parts get() = emptyList<Promql>()
    }

    data class Call(val function: String, override val parts: List<Promql>) : Promql

    data class Aggregation(val operator: String, val by: List<String>, val of: Promql) : Promql {
        override val parts get() = listOf(of)
    }

    data class Operation(val operator: String, val left: Promql, val right: Promql) : Promql {
        override val parts get() = listOf(left, right)
    }

    data class Number(val value: Double) : Promql {
        override val parts get() = emptyList<Promql>()
    }

    companion object {
        fun parse(text: String): Promql = PromqlParser(text).parse()
    }
}

internal fun Promql.selectors(): List<Promql.Selector> =
    listOfNotNull(this as? Promql.Selector) + parts.flatMap { it.selectors() }

internal fun Promql.aggregations(): List<Promql.Aggregation> =
    listOfNotNull(this as? Promql.Aggregation) + parts.flatMap { it.aggregations() }

private class PromqlParser(private val text: String) {
    private val tokens = ArrayDeque(token.findAll(text).map { it.groupValues[1] }.toList())

    init {
        require(text.replace(token, "").isBlank()) {
            "'$text' has signs that are not known: '${text.replace(token, "").trim()}'."
        }
    }

    fun parse(): Promql = comparison().also { require(tokens.isEmpty()) { "'$text' goes on with $tokens." } }

    private fun comparison() = operations(setOf(">", "<", "==", ">=", "<=", "!="), ::product)

    private fun product() = operations(setOf("/", "*"), ::operand)

    private fun operations(operators: Set<String>, next: () -> Promql): Promql {
        var left = next()
        while (tokens.firstOrNull() in operators) left = Promql.Operation(tokens.removeFirst(), left, next())
        return left
    }

    private fun operand(): Promql {
        val first = tokens.removeFirst()
        return when {
            first == "(" -> comparison().also { expect(")") }
            first.first().isDigit() -> Promql.Number(first.toDouble())
            first in setOf("sum", "max", "min") -> aggregation(first)
            tokens.firstOrNull() == "(" -> call(first)
            else -> selector(first)
        }
    }

    private fun aggregation(operator: String): Promql {
        val by = if (tokens.first() == "by") list() else emptyList()
        expect("(")
        return Promql.Aggregation(operator, by, comparison()).also { expect(")") }
    }

    private fun list(): List<String> {
        expect("by")
        expect("(")
        return buildList {
            do add(tokens.removeFirst()) while (tokens.removeFirst().also { require(it in setOf(",", ")")) } == ",")
        }
    }

    private fun call(function: String): Promql {
        require(function in setOf("rate", "increase", "histogram_quantile")) { "'$text' calls $function, which is not known." }
        expect("(")
        val arguments = buildList {
            do add(comparison()) while (tokens.removeFirst().also { require(it in setOf(",", ")")) } == ",")
        }
        return Promql.Call(function, arguments)
    }

    private fun selector(metric: String): Promql {
        require(Regex("[a-zA-Z_:][a-zA-Z0-9_:]*").matches(metric)) { "'$text' has '$metric' where a metric belongs." }
        val matchers = ArrayList<Promql.Matcher>()
        if (tokens.firstOrNull() == "{") {
            tokens.removeFirst()
            do {
                matchers +=
                    Promql.Matcher(tokens.removeFirst(), tokens.removeFirst(), tokens.removeFirst().removeSurrounding("\""))
            } while (tokens.removeFirst().also { require(it in setOf(",", "}")) } == ",")
        }
        if (tokens.firstOrNull() != "[") return Promql.Selector(metric, matchers, null)
        tokens.removeFirst()
        return Promql.Selector(metric, matchers, tokens.removeFirst()).also { expect("]") }
    }

    private fun expect(sign: String) = require(tokens.removeFirstOrNull() == sign) { "'$text' needs a '$sign'." }

    private companion object {
        val token = Regex("""\s*("[^"]*"|=~|!~|!=|==|>=|<=|\$\w+|\d+(?:\.\d+)?[smhd]?|[a-zA-Z_:][\w:]*|[-+*/(){}\[\],=<>])\s*""")
    }
}
