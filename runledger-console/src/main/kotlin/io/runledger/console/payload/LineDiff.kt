package io.runledger.console.payload

/** The lines of two texts, with those that only one of them has. */
internal object LineDiff {
    enum class Kind { SAME, REMOVED, ADDED }

    data class Line(val kind: Kind, val text: String)

    /**
     * The shortest way from [old] to [new]. For long texts that differ in many places the differing part is shown as a whole: all
     * its old lines, then all its new ones.
     */
    fun of(old: String, new: String): List<Line> {
        val before = old.lines()
        val after = new.lines()
        val head = before.zip(after).takeWhile { (one, other) -> one == other }.size
        val most = minOf(before.size, after.size) - head
        val tail = (0 until most).takeWhile { before[before.size - 1 - it] == after[after.size - 1 - it] }.size
        val middle = between(before.subList(head, before.size - tail), after.subList(head, after.size - tail))
        return before.take(head).map { Line(Kind.SAME, it) } + middle + before.takeLast(tail).map { Line(Kind.SAME, it) }
    }

    private fun between(old: List<String>, new: List<String>): List<Line> {
        if (old.size.toLong() * new.size > MOST_CELLS) {
            return old.map { Line(Kind.REMOVED, it) } + new.map { Line(Kind.ADDED, it) }
        }
        val common = lengths(old, new)
        val lines = ArrayList<Line>(old.size + new.size)
        var (i, j) = 0 to 0
        while (i < old.size || j < new.size) {
            when {
                i < old.size && j < new.size && old[i] == new[j] -> {
                    lines += Line(Kind.SAME, old[i++])
                    j++
                }

                j == new.size -> lines += Line(Kind.REMOVED, old[i++])

                i == old.size -> lines += Line(Kind.ADDED, new[j++])

                common[i + 1][j] >= common[i][j + 1] -> lines += Line(Kind.REMOVED, old[i++])

                else -> lines += Line(Kind.ADDED, new[j++])
            }
        }
        return lines
    }

    /** The length of the longest common sequence of the lines from each pair of positions to the ends. */
    private fun lengths(old: List<String>, new: List<String>): Array<IntArray> {
        val common = Array(old.size + 1) { IntArray(new.size + 1) }
        for (i in old.indices.reversed()) {
            for (j in new.indices.reversed()) {
                common[i][j] = if (old[i] == new[j]) common[i + 1][j + 1] + 1 else maxOf(common[i + 1][j], common[i][j + 1])
            }
        }
        return common
    }

    private const val MOST_CELLS = 1_000_000L
}
