package io.runledger.console.picture

import io.runledger.console.picture.graph.Size
import io.runledger.console.picture.look.Look
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.Icon
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.cutEnd
import io.runledger.console.picture.svg.cutInside
import io.runledger.console.picture.svg.number

/** Draws the box of one step: name, state with icon and duration, attempts and progress. A gate has pointed sides. */
internal class StepCard(
    private val text: StepText,
    private val size: Size,
    private val isResult: Boolean,
    private val isConditional: Boolean,
) {
    private val width = size.width.toDouble()
    private val height = size.height.toDouble()
    private val inset = if (text.isGate) GATE_INSET else 0.0

    fun draw(svg: SvgWriter) {
        outline(svg)
        svg.icon(text.look.icon, PAD + inset, 12.0, Icon.SIZE, text.look.look)
        var right = width - PAD - inset
        if (isResult) {
            svg.icon(Icon.STAR, right - SMALL, 14.0, SMALL, "rl-star")
            right -= SMALL + GAP
        }
        if (isConditional) {
            svg.label("if", right, 24.0, "class" to Look.DETAIL, "text-anchor" to "end")
            right -= Font.DETAIL.widthOf("if") + GAP
        }
        val left = TEXT + inset
        svg.label(cutInside(text.name, right - left, Font.NAME), left, 24.0, "class" to Look.NAME)
        right = width - PAD - inset
        text.attempt?.let { attempt ->
            val place = right - Font.DETAIL.widthOf(attempt)
            svg.label(attempt, right, 42.0, "class" to Look.DETAIL, "text-anchor" to "end")
            svg.icon(Icon.RETRY, place - SMALL - 2, 33.0, SMALL, "rl-muted")
            right = place - SMALL - GAP
        }
        svg.label(cutEnd(text.standing, right - left, Font.DETAIL), left, 42.0, "class" to "${Look.DETAIL} ${text.look.look}")
        text.progress?.let { progress(svg, it, left) }
    }

    private fun progress(svg: SvgWriter, share: Double, left: Double) {
        val whole = width - PAD - inset - left
        svg.empty("rect", "class" to Look.TRACK, "x" to left, "y" to 48.0, "width" to whole, "height" to 3.0, "rx" to 1.5)
        svg.empty(
            "rect",
            "class" to "${Look.BAR} ${text.look.look}",
            "x" to left,
            "y" to 48.0,
            "width" to whole * share,
            "height" to 3.0,
            "rx" to 1.5,
        )
    }

    private fun outline(svg: SvgWriter) {
        val look = "${Look.CARD} ${text.look.look}"
        if (text.isGate) {
            val middle = number(height / 2)
            val near = number(GATE_INSET)
            val far = number(width - GATE_INSET)
            svg.empty(
                "path",
                "class" to look,
                "d" to "M$near 0H${far}L${number(width)} ${middle}L$far ${number(height)}H${near}L0 ${middle}z",
            )
        } else {
            svg.empty("rect", "class" to look, "width" to width, "height" to height, "rx" to 8.0)
        }
    }

    companion object {
        private const val PAD = 12.0
        private const val TEXT = 36.0
        private const val GAP = 6.0
        private const val SMALL = 12.0
        private const val GATE_INSET = 12.0
        const val HEIGHT: Int = 56
        private const val NARROWEST = 184
        private const val WIDEST = 272
        private const val GRID = 8

        /** How far the side of a gate is from the side of its box, at a distance from its middle line. */
        fun gateInset(distance: Double): Double = GATE_INSET * (distance / (HEIGHT / 2.0)).coerceIn(0.0, 1.0)

        /** The size follows from what never changes, so that a state does not move other boxes. */
        fun sizeOf(name: String, isGate: Boolean, marks: Int): Size {
            val sides = TEXT + PAD + if (isGate) 2 * GATE_INSET else 0.0
            val wanted = (Font.NAME.widthOf(name) + sides + marks * (SMALL + GAP)).toInt() + 1
            val narrowest = NARROWEST + if (isGate) (2 * GATE_INSET).toInt() else 0
            return Size(((wanted + GRID - 1) / GRID * GRID).coerceIn(narrowest, WIDEST), HEIGHT)
        }
    }
}
