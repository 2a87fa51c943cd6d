package io.runledger.benchmarks.report

import java.util.Locale

/** Collects figures and prints each as it comes: for people while they wait, and in lines for programs at the end. */
class Report {
    private val figures = LinkedHashMap<String, Figure>()

    fun add(name: String, value: Double, unit: String) = add(name, listOf(value), unit)

    /** The median of [rounds] counts; the least and the greatest are its spread. */
    fun add(name: String, rounds: List<Double>, unit: String) {
        val figure = Figure(name, rounds, unit)
        figures[name] = figure
        System.err.println("  $name ${figure.textWithSpread} $unit")
    }

    operator fun get(name: String): Double? = figures[name]?.value

    fun hasFiguresOf(contender: String): Boolean = figures.keys.any { it.endsWith("/$contender") }

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
                    byName[it]?.textWithSpread ?: "-"
                } +
                    " |",
            )
        }
    }

    /** `RESULT <name> <median> <unit> <least> <greatest> <rounds>`. */
    fun resultLines(): String = figures.values.joinToString("\n") {
        "RESULT ${it.name} ${it.text} ${it.unit} ${text(it.least)} ${text(it.greatest)} ${it.rounds.size}"
    }
}

/** One measured number, by the values of its rounds. */
class Figure(val name: String, val rounds: List<Double>, val unit: String) {
    val value: Double = rounds.median()
    val least: Double = rounds.min()
    val greatest: Double = rounds.max()
    val text: String = text(value)
    val textWithSpread: String = if (rounds.size == 1) text else "$text (${text(least)}-${text(greatest)})"
}

/** The value in the middle, or the mean of the two in the middle. */
fun List<Double>.median(): Double = sorted().let { (it[(size - 1) / 2] + it[size / 2]) / 2 }

internal fun text(value: Double): String = when {
    value >= LARGE -> "%.0f"
    value >= 1 -> "%.2f"
    else -> "%.3f"
}.format(Locale.ROOT, value)

private const val LARGE = 100
