package io.runledger.console.picture.look

import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.Icon
import io.runledger.console.picture.svg.SvgWriter

/** A legend: samples with words, in as many rows as they need. */
internal class Legend(private val items: List<Item>, private val width: Double) {
    class Item(val words: String, val href: String? = null, val sample: (SvgWriter) -> Unit)

    private val rows: List<List<Pair<Double, Item>>> = rows()

    val height: Double = if (items.isEmpty()) 0.0 else rows.size * ROW + ROW / 2

    /** Draws the legend with its upper left corner at a place. */
    fun draw(svg: SvgWriter, x: Double, y: Double) {
        rows.forEachIndexed { row, placed ->
            for ((left, item) in placed) {
                svg.at(x + left, y + row * ROW + ROW / 2) {
                    svg.link(item.href, item.words, "class" to if (item.href == null) null else Look.LINK) {
                        item.sample(svg)
                        svg.label(item.words, SAMPLE + GAP, MIDDLE + 4, "class" to Look.DETAIL)
                    }
                }
            }
        }
    }

    private fun rows(): List<List<Pair<Double, Item>>> {
        val rows = mutableListOf(mutableListOf<Pair<Double, Item>>())
        var left = 0.0
        for (item in items) {
            val wide = SAMPLE + GAP + Font.DETAIL.widthOf(item.words) + BETWEEN
            if (left > 0 && left + wide > width) {
                rows += mutableListOf<Pair<Double, Item>>()
                left = 0.0
            }
            rows.last() += left to item
            left += wide
        }
        return rows
    }

    companion object {
        private const val ROW = 24.0
        const val SAMPLE: Double = 24.0
        private const val GAP = 6.0
        private const val BETWEEN = 20.0
        const val MIDDLE: Double = ROW / 2 - 4

        fun state(look: StateLook): Item = icon(look.icon, look.look, look.word)

        fun icon(icon: Icon, look: String, words: String): Item = Item(words) {
            it.icon(icon, (SAMPLE - Icon.SIZE), 0.0, Icon.SIZE, look)
        }

        /** A sample of a bar. */
        fun bar(words: String, look: String, texture: Texture = Texture.PLAIN): Item = Item(words) { svg ->
            val area = Area(SAMPLE - Icon.SIZE, MIDDLE - 6, Icon.SIZE, 12.0)
            texture.draw(svg, area, look)
        }

        fun link(words: String, href: String): Item = Item(words, href) {
            it.icon(Icon.SLASH, SAMPLE - Icon.SIZE, 0.0, Icon.SIZE, "rl-muted")
        }
    }
}
