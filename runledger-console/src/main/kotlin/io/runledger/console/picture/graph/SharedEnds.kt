package io.runledger.console.picture.graph

/**
 * Decides which lines leave a box at one point, or arrive at one point. Lines that share a point also share a part of their
 * way, so a reader could not tell them apart if they shared both ends with different lines. Therefore a line shares one end:
 * where more lines of its mode meet. It shares both ends only if each of the boxes at one side leads to each of the boxes at
 * the other side.
 */
internal class SharedEnds(private val arrows: List<Arrow>) {
    private val outgoing = arrows.groupingBy { it.from to it.mode }.eachCount()
    private val incoming = arrows.groupingBy { it.to to it.mode }.eachCount()
    private val complete: Set<Int> = complete()

    /** Equal for lines that leave a box at one point. */
    fun start(arrow: Int): Any = with(arrows[arrow]) {
        if (arrow in complete ||
            isSharedAtStart(this)
        ) {
            Triple("start", from, mode)
        } else {
            "start" to arrow
        }
    }

    /** Equal for lines that arrive at a box at one point. */
    fun end(arrow: Int): Any = with(arrows[arrow]) {
        if (arrow in complete ||
            !isSharedAtStart(this)
        ) {
            Triple("end", to, mode)
        } else {
            "end" to arrow
        }
    }

    private fun isSharedAtStart(arrow: Arrow): Boolean =
        outgoing.getValue(arrow.from to arrow.mode) >= incoming.getValue(arrow.to to arrow.mode)

    /** The lines from all boxes of a set to all boxes of another set, where no line of the same mode leads elsewhere. */
    private fun complete(): Set<Int> {
        val byStart = arrows.indices.groupBy { arrows[it].from to arrows[it].mode }
        val byTargets = byStart.values.groupBy { lines -> arrows[lines.first()].mode to lines.map { arrows[it].to }.toSet() }
        return byTargets.values
            .filter { starts -> starts.first().all { incoming.getValue(arrows[it].to to arrows[it].mode) == starts.size } }
            .flatMapTo(HashSet()) { it.flatten() }
    }
}
