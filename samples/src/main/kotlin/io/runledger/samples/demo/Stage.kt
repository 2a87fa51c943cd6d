package io.runledger.samples.demo

import io.runledger.model.history.WorkflowStory
import io.runledger.model.render.WorkflowGraph
import java.time.Instant
import java.time.ZoneId

/** The output of the demo: a terminal that is redrawn, or lines for a log. */
internal interface Stage {
    /** Shows the current state of the run, with the progress of its steps, each between 0 and 1. */
    fun show(story: WorkflowStory, done: Map<String, Double>)

    /** Shows a message that is not in the ledger. */
    fun tell(news: String)
}

/** One line for each event of the ledger. */
internal class Lines : Stage {
    private var lastShown = 0L

    override fun show(story: WorkflowStory, done: Map<String, Double>) {
        story.events().filter { it.number() > lastShown }.forEach { event ->
            println("  ${time(event.occurredAt())}  ${event.stepKey().padEnd(KEY_WIDTH)} ${event.type()}")
            lastShown = event.number()
        }
    }

    override fun tell(news: String) = println("  » $news")

    private fun time(instant: Instant) = "%tT.%<tL".format(instant.atZone(ZoneId.systemDefault()))

    private companion object {
        const val KEY_WIDTH = 12
    }
}

/** The tree of the run, drawn in place. */
internal class Screen : Stage {
    private val news = mutableListOf<String>()
    private var drawn = 0

    override fun show(story: WorkflowStory, done: Map<String, Double>) {
        val tree = WorkflowGraph.of(story).tree().trimEnd().lines().map { line ->
            val key = line.substringBefore(" [").substringAfterLast(' ')
            val bar = done[key]?.let { share -> "  " + bar(share) }.orEmpty()
            (line + bar).colored()
        }
        draw(tree + "" + news)
    }

    override fun tell(news: String) {
        this.news += "$YELLOW» $news$PLAIN"
    }

    private fun draw(lines: List<String>) {
        val up = if (drawn > 0) "$ESCAPE[${drawn}F" else ""
        print(up + lines.joinToString("") { "$it$ESCAPE[K\n" } + "$ESCAPE[J")
        System.out.flush()
        drawn = lines.size
    }

    private fun bar(share: Double): String {
        val full = (share * BAR_WIDTH).toInt().coerceIn(0, BAR_WIDTH)
        return "█".repeat(full) + "░".repeat(BAR_WIDTH - full) + " %3d %%".format((share * PERCENT).toInt())
    }

    private fun String.colored(): String = colors.entries.fold(this) { line, (symbol, color) ->
        line.replace(symbol, "$color$symbol$PLAIN")
    }

    private companion object {
        const val BAR_WIDTH = 24
        const val PERCENT = 100
        const val ESCAPE = "\u001b"
        const val PLAIN = "$ESCAPE[0m"
        const val YELLOW = "$ESCAPE[33m"
        val colors = mapOf("✔" to "$ESCAPE[32m", "●" to "$ESCAPE[36m", "✘" to "$ESCAPE[31m", "◇" to YELLOW, "█" to "$ESCAPE[36m")
    }
}
