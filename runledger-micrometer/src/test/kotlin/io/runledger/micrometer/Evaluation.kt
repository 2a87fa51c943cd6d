package io.runledger.micrometer

import kotlin.math.max

/** Evaluates expressions over a row of scrapes, as Prometheus does, except that a range is always [WINDOW] scrapes long. */
internal class Evaluation(private val scrapes: List<Scrape>, private val variables: Map<String, String>) {
    /** The values of each series of [expression] over time; null where it has none. */
    fun over(expression: Promql): Map<Map<String, String>, List<Double?>> {
        val moments = scrapes.indices.map { at(expression, it) }
        return moments.flatMap { it.keys }.distinct().associateWith { labels -> moments.map { it[labels] } }
    }

    private fun at(expression: Promql, moment: Int): Map<Map<String, String>, Double> = when (expression) {
        is Promql.Number -> mapOf(emptyMap<String, String>() to expression.value)

        is Promql.Selector -> select(expression, moment)

        is Promql.Call -> call(expression, moment)

        is Promql.Aggregation -> at(expression.of, moment).entries.groupBy({
            it.key.filterKeys { key -> key in expression.by }
        }, { it.value })
            .mapValues { (_, values) -> if (expression.operator == "sum") values.sum() else values.max() }

        is Promql.Operation -> operate(expression, moment)
    }

    private fun select(selector: Promql.Selector, moment: Int): Map<Map<String, String>, Double> {
        val matchers = selector.matchers.map { matcher ->
            variables.entries.fold(matcher) { result, (name, value) -> result.copy(value = result.value.replace(name, value)) }
        }
        return scrapes[moment].values.filter { (series, value) ->
            series.metric == selector.metric && !value.isNaN() && matchers.all { it.matches(series.labels) }
        }.mapKeys { it.key.labels }
    }

    private fun call(call: Promql.Call, moment: Int): Map<Map<String, String>, Double> {
        if (call.function == "histogram_quantile") return quantiles(call, moment)
        val selector = call.parts.single() as Promql.Selector
        val from = max(0, moment - WINDOW)
        if (from == moment) return emptyMap()
        val before = select(selector, from)
        val seconds = if (call.function == "rate") scrapes[moment].at - scrapes[from].at else 1.0
        return select(selector, moment).mapNotNull { (labels, value) ->
            before[labels]?.let { labels to (value - it) / seconds }
        }.toMap()
    }

    private fun quantiles(call: Promql.Call, moment: Int): Map<Map<String, String>, Double> {
        val wanted = (call.parts[0] as Promql.Number).value
        return at(call.parts[1], moment).entries.groupBy { it.key - "le" }.mapNotNull { (labels, buckets) ->
            val counts = buckets.map { (key, count) -> bound(key.getValue("le")) to count }.sortedBy { it.first }
            quantile(wanted, counts)?.let { labels to it }
        }.toMap()
    }

    private fun quantile(wanted: Double, counts: List<Pair<Double, Double>>): Double? {
        val total = counts.last().second
        if (total <= 0) return null
        val index = counts.indexOfFirst { it.second >= wanted * total }
        val (upper, count) = counts[index]
        val (lower, below) = counts.getOrNull(index - 1) ?: (0.0 to 0.0)
        return if (upper.isInfinite()) lower else lower + (upper - lower) * (wanted * total - below) / (count - below)
    }

    private fun bound(text: String) = if (text == "+Inf") Double.POSITIVE_INFINITY else text.toDouble()

    private fun operate(operation: Promql.Operation, moment: Int): Map<Map<String, String>, Double> {
        val right = at(operation.right, moment)
        return at(operation.left, moment).mapNotNull { (labels, left) ->
            val other = if (operation.right is Promql.Number) right.values.single() else right[labels] ?: return@mapNotNull null
            val value = when (operation.operator) {
                "/" -> left / other
                "*" -> left * other
                ">" -> left.takeIf { it > other }
                "<" -> left.takeIf { it < other }
                "==" -> left.takeIf { it == other }
                else -> error("'${operation.operator}' is not known here.")
            }
            value?.takeUnless { it.isNaN() }?.let { labels to it }
        }.toMap()
    }

    private companion object {
        const val WINDOW = 3
    }
}
