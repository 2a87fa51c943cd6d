package io.runledger.console.picture

import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.Proportions
import io.runledger.console.picture.scale.fullCount
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.cutEnd
import io.runledger.console.picture.svg.number
import io.runledger.console.picture.svg.shown
import io.runledger.model.fleet.Worker
import kotlin.math.max

/**
 * A bar that shows how a whole is used.
 *
 * @param name what is measured, for the title
 * @param parts used parts, in the order of the bar
 * @param whole size of the whole; parts may exceed it
 */
public class Gauge(private val name: String, parts: List<Part>, private val whole: Long) {
    private val parts = parts.toList()

    init {
        require(whole >= 0) { "The whole of '$name' is $whole: use 0 or more." }
    }

    /**
     * A used part.
     *
     * @property name what the part is, for example `busy`
     * @property tone how the part looks
     * @property amount size of the part, 0 or more
     */
    public class Part(
        @get:JvmName("name") public val name: String,
        @get:JvmName("tone") public val tone: Tone,
        @get:JvmName("amount") public val amount: Long,
    ) {
        init {
            require(amount >= 0) { "The amount of '$name' is $amount: use 0 or more." }
        }
    }

    /** Draws the bar as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String {
        val width = (options.width ?: WIDTH).toDouble()
        val used = parts.sumOf { it.amount.toDouble() }
        val full = max(max(used, whole.toDouble()), 1.0)
        val words = (parts.map { "${fullCount(it.amount)} ${shown(it.name)}" } + "of ${fullCount(whole)}").joinToString(" · ")
        return Frame("rl-gauge", "${shown(name)}: $words", words, width, HEIGHT).draw(options) {
            empty("rect", "class" to Look.TRACK, "x" to 0.0, "y" to TOP, "width" to width, "height" to THICK, "rx" to 2.0)
            var x = 0.0
            val free = "free" to full - used
            val widths = Proportions(parts.map { it.name to it.amount.toDouble() } + free).widths(width)
            parts.forEachIndexed { place, part ->
                val wide = widths[place].second
                val look = ToneLook.of(part.tone)
                if (wide > 0) {
                    element("g") {
                        title("${shown(part.name)}: ${fullCount(part.amount)}")
                        look.texture.draw(this, Area(x, TOP, max(wide - 1, wide / 2), THICK), look.look)
                    }
                }
                x += wide
            }
            if (used > whole) {
                empty(
                    "path",
                    "class" to "rl-mark",
                    "d" to "M${number(whole / full * width)} ${number(TOP - 2)}v${number(THICK + 4)}",
                )
            }
            label(cutEnd(words, width, Font.DETAIL), 0.0, TOP + THICK + 14, "class" to Look.DETAIL)
        }
    }

    public companion object {
        private const val WIDTH = 192
        private const val HEIGHT = 32.0
        private const val TOP = 4.0
        private const val THICK = 8.0

        /** The slots of a worker: busy, and held jobs, which wait for a slot and may exceed the slots. */
        @JvmStatic
        public fun of(worker: Worker): Gauge = Gauge(
            "slots",
            listOf(
                Part("busy", Tone.RUNNING, worker.busySlots().toLong()),
                Part("held", Tone.WAITING, worker.heldJobs().toLong()),
            ),
            worker.slots().toLong(),
        )
    }
}
