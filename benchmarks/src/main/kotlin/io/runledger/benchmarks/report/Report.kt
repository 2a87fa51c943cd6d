package io.runledger.benchmarks.report

import java.util.Locale

/** Collects figures and prints each as it comes: for people while they wait, and as `RESULT <name> <value> <unit>` for programs at the end. */
class Report {
    private val figures = LinkedHashMap<String, Figure>()

    fun add(name: String, value: Double, unit: String) {
        val figure = Figure(name, value, unit)
        figures[name] = figure
        System.err.println("  $name ${figure.text} $unit")
    }

    operator fun get(name: String): Double? = figures[name]?.value

    /** A Markdown table: a row per workload, a column per contender that was measured. */
    fun table(contenders: List<String>): String = buildString {
        val rows = figures.values.mapNotNull { figure ->
            contenders.firstOrNull {
                figure.name.endsWith("/$it")
            }?.let { Triple(figure.name.substringBeforeLast('/'), it, figure) }
        }.groupBy({ it.first }) { it.second to it.third }
        appendLine("| workload | unit | " + contenders.joinToString(" | ") + " |")
        appendLine("|---|---|" + "---:|".repeat(contenders.size))
        rows.forEach { (workload, cells) ->
            val byName = cells.toMap()
            appendLine(
                "| $workload | ${cells.first().second.unit} | " + contenders.joinToString(" | ") {
                    byName[it]?.text ?: "-"
                } +
                    " |",
            )
        }
    }

    fun resultLines(): String = figures.values.joinToString("\n") { "RESULT ${it.name} ${it.text} ${it.unit}" }
}

/** One measured number. */
class Figure(val name: String, val value: Double, val unit: String) {
    val text: String = when {
        value >= LARGE -> "%.0f"
        value >= 1 -> "%.2f"
        else -> "%.3f"
    }.format(Locale.ROOT, value)

    private companion object {
        const val LARGE = 100
    }
}
