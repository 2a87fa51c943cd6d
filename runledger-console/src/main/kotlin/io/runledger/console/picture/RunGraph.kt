package io.runledger.console.picture

import io.runledger.console.picture.graph.GraphView
import io.runledger.console.picture.graph.RunShape
import io.runledger.model.history.WorkflowStory
import java.time.Instant

/**
 * A picture of a run as a graph: a box for each step with its state, from left to right, and a line for each dependency. Similar
 * steps are shown as one box if there are many of them. The same run always has the same picture.
 */
public class RunGraph private constructor(
    private val story: WorkflowStory,
    private val now: Instant?,
    private val work: Map<String, StepWork>,
    private val layouts: GraphLayouts,
) {
    private val shape = RunShape.of(story)

    /** The groups of similar steps that [svg] shows with these options, expanded or not, in the order of declaration. */
    @JvmOverloads
    public fun groups(options: PictureOptions = PictureOptions.DEFAULT): List<StepGroup> =
        view(options).groups.map { StepGroup(it.id, it.name, it.members.size, it.id in options.expanded) }

    /** Draws the graph as SVG. */
    @JvmOverloads
    public fun svg(options: PictureOptions = PictureOptions.DEFAULT): String =
        GraphPainter(story, shape, view(options), GraphSubject(now, work), options).draw(layouts)

    private fun view(options: PictureOptions) = GraphView.of(shape, options.groupsOver, options.expanded)

    public companion object {
        /**
         * @param now the time until which a running step is shown; without it, only ended steps have a duration
         * @param work what the jobs of steps say, by step key; a step that is missing is shown without attempts and progress
         * @param layouts keeps layouts for the next picture of a run with the same steps
         * @throws IllegalArgumentException if a dependency names a step that is not in the story
         */
        @JvmStatic
        @JvmOverloads
        public fun of(
            story: WorkflowStory,
            now: Instant? = null,
            work: Map<String, StepWork> = emptyMap(),
            layouts: GraphLayouts = GraphLayouts(capacity = 4),
        ): RunGraph = RunGraph(story, now, work.toMap(), layouts)
    }
}
