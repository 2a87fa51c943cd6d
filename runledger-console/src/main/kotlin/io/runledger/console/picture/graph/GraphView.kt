package io.runledger.console.picture.graph

import io.runledger.model.workflow.ReleaseMode

/**
 * What a picture of a run shows: boxes, each for a step or a group, and the dependencies between them.
 *
 * @property groups all groups of the run, also those that are shown step by step
 */
internal class GraphView(val boxes: List<Box>, val links: List<Link>, val groups: List<Group>) {
    /** Steps that are shown as one. The id is the key of the first step, which stays when steps are appended. */
    data class Group(val id: String, val name: String, val members: List<Int>)

    /**
     * A step, or a group or the rest of one.
     *
     * @property members indexes of the steps
     */
    data class Box(val members: List<Int>, val group: Group?)

    /** The dependencies of one mode between two boxes. */
    data class Link(val from: Int, val to: Int, val mode: ReleaseMode, val waits: List<Wait>)

    companion object {
        /** The number of steps of a group that are shown one by one; the others stay together. */
        const val MOST_EXPANDED: Int = 600

        fun of(shape: RunShape, groupsOver: Int, expanded: Set<String>): GraphView {
            val groups = mutableListOf<Group>()
            val boxes = mutableListOf<Box>()
            for (members in StepGroups(shape, groupsOver).find()) {
                if (members.size == 1) {
                    boxes += Box(members, group = null)
                    continue
                }
                val group = groupOf(shape, members)
                groups += group
                val single = if (group.id in expanded) members.take(MOST_EXPANDED) else emptyList()
                single.forEach { boxes += Box(listOf(it), group = null) }
                if (single.size < members.size) {
                    boxes += Box(members.drop(single.size), group)
                }
            }
            return GraphView(boxes, links(shape, boxes), groups)
        }

        private fun groupOf(shape: RunShape, members: List<Int>): Group {
            val keys = members.map { shape.keys[it] }
            val type = members.map { shape.kinds[it].substringAfter(' ') }.distinct().singleOrNull().orEmpty()
            return Group(keys.first(), commonName(keys) ?: type.ifEmpty { "steps" }, members)
        }

        private fun links(shape: RunShape, boxes: List<Box>): List<Link> {
            val boxOf = IntArray(shape.keys.size)
            boxes.forEachIndexed { place, box -> box.members.forEach { boxOf[it] = place } }
            return shape.waits
                .filter { boxOf[it.from] != boxOf[it.to] }
                .groupBy { Triple(boxOf[it.from], boxOf[it.to], it.mode) }
                .map { (ends, waits) -> Link(ends.first, ends.second, ends.third, waits) }
                .sortedWith(compareBy({ it.from }, { it.to }, { it.mode }))
        }
    }
}
