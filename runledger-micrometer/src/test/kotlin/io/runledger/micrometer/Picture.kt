package io.runledger.micrometer

import java.util.Locale

/** Draws the panels of the dashboard over a row of scrapes, as one SVG. */
internal class Picture(private val scrapes: List<Scrape>) {
    private val evaluation = Evaluation(scrapes, mapOf("\$ledger" to ".*"))
    private val out = StringBuilder()

    private class Line(val name: String, val values: List<Double?>)

    fun draw(): String {
        var y = MARGIN
        var column = 0
        Dashboard.rowsAndPanels.forEach { (title, panel) ->
            if (panel == null) {
                if (column > 0) y += HEIGHT + GAP
                column = 0
                text(MARGIN, y + 16, title, "h")
                y += 28
            } else {
                draw(panel, MARGIN + column * (WIDTH + GAP), y)
                column = (column + 1) % COLUMNS
                if (column == 0) y += HEIGHT + GAP
            }
        }
        val height = y + if (column > 0) HEIGHT + GAP else 0
        val width = 2 * MARGIN + COLUMNS * WIDTH + (COLUMNS - 1) * GAP
        return """<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height">
<style>text{font:10px sans-serif;fill:#444}.h{font-size:15px;font-weight:bold;fill:#111}.t{font-size:12px;font-weight:bold;fill:#111}</style>
<rect width="100%" height="100%" fill="#f4f5f5"/>
$out</svg>
"""
    }

    private fun draw(panel: Dashboard.Panel, x: Int, y: Int) {
        out.append("""<rect x="$x" y="$y" width="$WIDTH" height="$HEIGHT" fill="#fff" stroke="#d5d7da"/>""").append('\n')
        text(x + 8, y + 17, panel.title, "t")
        val lines = panel.targets.flatMap(::linesOf)
        if (lines.isEmpty()) return text(x + 8, y + 60, "no data", "")
        val top = lines.flatMap { it.values }.filterNotNull().maxOrNull()?.takeIf { it > 0 } ?: 1.0
        val plot = Plot(x + 52, y + 28, WIDTH - 62, HEIGHT - 78, top)
        listOf(0.0, top / 2, top).forEach { mark ->
            val at = plot.y(mark)
            out.append(
                """<line x1="${plot.x}" x2="${plot.x + plot.width}" y1="${number(at)}" y2="${number(at)}" stroke="#e6e7e9"/>""",
            ).append('\n')
            text(x + 6, at.toInt() + 3, label(mark, panel.unit), "")
        }
        lines.forEachIndexed { index, line -> plot(plot, line, colors[index % colors.size]) }
        legend(lines, x + 8, y + HEIGHT - 36)
    }

    private fun linesOf(target: Dashboard.Target): List<Line> = evaluation.over(Promql.parse(target.expression))
        .map { (labels, values) ->
            Line(Regex("""\{\{(\w+)}}""").replace(target.legend) { labels[it.groupValues[1]].orEmpty() }, values)
        }.sortedBy { it.name }

    private class Plot(val x: Int, val top: Int, val width: Int, val height: Int, val most: Double) {
        fun y(value: Double): Double = top + height - value / most * height
    }

    private fun plot(plot: Plot, line: Line, color: String) {
        val points = line.values.mapIndexedNotNull { moment, value ->
            value?.let { "${number(plot.x + plot.width * moment.toDouble() / (scrapes.size - 1))},${number(plot.y(it))}" }
        }
        out.append(
            """<polyline fill="none" stroke="$color" stroke-width="1.5" points="${points.joinToString(" ")}"/>""",
        ).append('\n')
    }

    private fun legend(lines: List<Line>, x: Int, y: Int) {
        var left = x
        var line = y
        lines.take(MOST_NAMES).forEachIndexed { index, entry ->
            val width = 16 + entry.name.length * 6
            if (left + width > x + WIDTH - 16) {
                left = x
                line += 13
            }
            out.append(
                """<rect x="$left" y="${line - 7}" width="8" height="8" fill="${colors[index % colors.size]}"/>""",
            ).append('\n')
            text(left + 11, line, entry.name, "")
            left += width
        }
    }

    private fun text(x: Int, y: Int, text: String, style: String) {
        val escaped = text.replace("&", "&amp;").replace("<", "&lt;")
        out.append("""<text x="$x" y="$y" class="$style">$escaped</text>""").append('\n')
    }

    private fun label(value: Double, unit: String): String = when (unit) {
        "s" -> if (value in 0.000_001..0.999) "${number(value * 1000)} ms" else "${number(value)} s"
        "percentunit" -> "${number(value * 100)} %"
        "ops" -> "${number(value)} /s"
        else -> number(value)
    }

    private fun number(value: Double): String = String.format(
        Locale.ROOT,
        if (value >=
            100
        ) {
            "%.0f"
        } else {
            "%.2f"
        },
        value,
    ).let { if ("." in it) it.trimEnd('0').trimEnd('.') else it }

    private companion object {
        const val MARGIN = 14
        const val GAP = 10
        const val COLUMNS = 3
        const val WIDTH = 400
        const val HEIGHT = 190
        const val MOST_NAMES = 8
        val colors =
            listOf("#2f6fb3", "#e0752d", "#3f9d4b", "#c23b3b", "#8a5cc2", "#8c6d4f", "#d45a9c", "#6f7780", "#b3a11f", "#1f9fb3")
    }
}
