package io.runledger.console.picture.graph

/**
 * Finds steps that a picture shows as one: more than [limit] steps with the same kind and job type, a common stem, and the same
 * prerequisites and dependents. Steps of another group count as the same, so that a fan-out of chains becomes a chain of groups.
 */
internal class StepGroups(private val shape: RunShape, private val limit: Int, private val mostShown: Int = MOST_SHOWN) {
    private val depths = Depths(shape)

    /**
     * All steps by their indexes: a list of one for a step that stands alone. Each list, and the lists by their first steps,
     * are in the order of declaration. If more than [mostShown] lists were left, steps are put together that have less in
     * common, so that every run has a picture.
     */
    fun find(): List<List<Int>> {
        val exact = gathered(equivalent())
        if (exact.size <= mostShown) {
            return exact
        }
        val byKind = gathered(colored { listOf(depths.fromStart[it], shape.kinds[it]) })
        if (byKind.size <= mostShown) {
            return byKind
        }
        val layers = (depths.fromStart.maxOrNull() ?: 0) + 1
        val width = (layers + COARSE_LAYERS - 1) / COARSE_LAYERS
        return shape.keys.indices.groupBy { depths.fromStart[it] / width }.values.sortedBy { it.first() }
    }

    /** Splits the steps until the steps of one color have neighbors of the same colors. */
    private fun equivalent(): IntArray {
        var colors = colored { listOf(shape.kinds[it], stemOf(shape.keys[it]), depths.fromStart[it], depths.toEnd[it]) }
        var count = -1
        var round = 0
        while (count != colors.distinctCount() && round++ < MOST_ROUNDS) {
            count = colors.distinctCount()
            val sizes = sizes(colors)
            // A step of a small group is shown alone, so its neighbors must be told from those of other steps.
            val alone = colors.withIndex().map { (step, color) -> if (sizes.getValue(color) <= limit) -1 - step else color }
            colors = colored {
                val color = alone[it]
                if (color < 0) {
                    color
                } else {
                    val before = around(it, shape.prerequisites, Wait::from, alone)
                    Neighbors(color, before, around(it, shape.dependents, Wait::to, alone))
                }
            }
        }
        return colors
    }

    private fun around(step: Int, waits: List<List<Wait>>, other: (Wait) -> Int, colors: List<Int>): Set<Pair<Any, Int>> =
        waits[step].mapTo(HashSet()) { it.mode to colors[other(it)] }

    private fun gathered(colors: IntArray): List<List<Int>> {
        val sizes = sizes(colors)
        val groups = LinkedHashMap<Int, MutableList<Int>>()
        colors.forEachIndexed { step, color ->
            groups.getOrPut(if (sizes.getValue(color) > limit) color else -1 - step) { mutableListOf() } += step
        }
        return groups.values.toList()
    }

    private fun sizes(colors: IntArray): Map<Int, Int> = colors.toList().groupingBy { it }.eachCount()

    private fun colored(of: (Int) -> Any): IntArray {
        val known = HashMap<Any, Int>()
        return IntArray(shape.keys.size) { step -> known.getOrPut(of(step)) { known.size } }
    }

    private fun IntArray.distinctCount(): Int = toHashSet().size

    private data class Neighbors(val color: Int, val before: Set<Pair<Any, Int>>, val after: Set<Pair<Any, Int>>)

    companion object {
        /** The layout of more boxes takes seconds. */
        const val MOST_SHOWN: Int = 1_200

        // Few graphs need more than five rounds. Without an end, a graph could be built that needs thousands.
        private const val MOST_ROUNDS = 40
        private const val COARSE_LAYERS = 200
    }
}
