package io.runledger.console.picture

import io.runledger.console.picture.graph.Size
import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.Proportions
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.Icon
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.cutEnd
import io.runledger.console.picture.svg.cutInside

/** Draws the box of a group as a stack of cards: name, number of steps, counts by state and their shares. */
internal class GroupCard(private val name: String, private val counts: Map<StateLook, Int>) {
    private val total = counts.values.sum()
    private val look = StateLook.ofAll(counts.keys)

    /** One sentence for assistive technology. */
    val sentence: String = "$name, group of $total steps, ${StateLook.counted(counts)}"

    fun draw(svg: SvgWriter) {
        for (behind in listOf(2, 1)) {
            val shift = behind * STACK
            svg.empty(
                "rect",
                "class" to "${Look.CARD} ${look.look}",
                "x" to shift,
                "y" to shift,
                "width" to CARD_WIDTH,
                "height" to CARD_HEIGHT,
                "rx" to 8.0,
            )
        }
        svg.empty("rect", "class" to "${Look.CARD} ${look.look}", "width" to CARD_WIDTH, "height" to CARD_HEIGHT, "rx" to 8.0)
        svg.icon(look.icon, PAD, 12.0, Icon.SIZE, look.look)
        val steps = "$total steps"
        val right = CARD_WIDTH - PAD
        svg.label(steps, right, 24.0, "class" to Look.DETAIL, "text-anchor" to "end")
        val room = right - Font.DETAIL.widthOf(steps) - PAD - TEXT
        svg.label(cutInside(name, room, Font.NAME), TEXT, 24.0, "class" to Look.NAME)
        svg.label(cutEnd(StateLook.counted(counts), right - TEXT, Font.DETAIL), TEXT, 42.0, "class" to Look.DETAIL)
        Proportions(counts.entries.sortedBy { StateLook.BY_INTEREST.indexOf(it.key) }.map { it.key.look to it.value.toDouble() })
            .draw(svg, TEXT, 50.0, right - TEXT, 6.0)
    }

    companion object {
        private const val PAD = 12.0
        private const val TEXT = 36.0
        private const val STACK = 4.0
        private const val CARD_WIDTH = 312.0
        private const val CARD_HEIGHT = 64.0

        val SIZE: Size = Size((CARD_WIDTH + 2 * STACK).toInt(), (CARD_HEIGHT + 2 * STACK).toInt())
    }
}
