package io.runledger.console.picture.graph

/** For each step, the length of the longest path that leads to it, and of the longest path that leads from it. */
internal class Depths(shape: RunShape) {
    val fromStart: IntArray = longest(shape.keys.size, shape.prerequisites, shape.dependents, Wait::to)
    val toEnd: IntArray = longest(shape.keys.size, shape.dependents, shape.prerequisites, Wait::from)

    private fun longest(steps: Int, before: List<List<Wait>>, after: List<List<Wait>>, next: (Wait) -> Int): IntArray {
        val open = IntArray(steps) { before[it].size }
        val depth = IntArray(steps)
        val ready = ArrayDeque((0 until steps).filter { open[it] == 0 })
        while (ready.isNotEmpty()) {
            val step = ready.removeFirst()
            for (wait in after[step]) {
                val follower = next(wait)
                depth[follower] = maxOf(depth[follower], depth[step] + 1)
                if (--open[follower] == 0) {
                    ready += follower
                }
            }
        }
        return depth
    }
}
