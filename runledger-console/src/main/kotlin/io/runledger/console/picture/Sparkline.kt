package io.runledger.console.picture

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.scale.fullCount
import io.runledger.console.picture.svg.number
import io.runledger.console.picture.svg.shown
import kotlin.math.max

/**
 * A small chart for a table: a bar for each count, without axes.
 *
 * @param name what is counted, for the title
 * @param counts counts from the oldest to the newest, for example of 24 hours
 */
public class Sparkline(private val name: String, counts: List<Long>, private val tone: Tone) {
    private val counts = counts.toList()

    init {
        require(this.counts.all { it >= 0 }) { "A count of '$name' is ${this.counts.min()}: use 0 or more." }
    }

    /** Draws the chart as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val width = (options.width ?: WIDTH).toDouble()
        val most = counts.maxOrNull() ?: 0
        val title = if (most == 0L) {
            "${shown(name)}: none"
        } else {
            "${shown(name)}: ${fullCount(counts.last())} now, ${fullCount(most)} at most"
        }
        return Frame("rl-sparkline", title, "${counts.size} counts, the newest at the right.", width, HEIGHT).draw(options) {
            empty("path", "class" to Look.GRID, "d" to "M0 ${number(BASE + 0.5)}H${number(width)}")
            val slot = width / max(counts.size, 1)
            val path = StringBuilder()
            counts.forEachIndexed { place, count ->
                if (count > 0) {
                    val tall = max(count.toDouble() / most * (BASE - 2), 1.5)
                    val wide = max(slot - 1, 1.0)
                    path.append("M${number(place * slot)} ${number(BASE)}v${number(-tall)}h${number(wide)}v${number(tall)}z")
                }
            }
            if (path.isNotEmpty()) {
                empty("path", "class" to "${Look.BAR} ${ToneLook.of(tone).look}", "d" to path.toString())
            }
        }
    }

    private companion object {
        const val WIDTH = 120
        const val HEIGHT = 24.0
        const val BASE = 22.0
    }
}
