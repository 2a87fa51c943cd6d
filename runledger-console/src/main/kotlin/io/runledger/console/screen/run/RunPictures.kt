package io.runledger.console.screen.run

import io.runledger.console.picture.GraphLayouts
import io.runledger.console.picture.PictureOptions
import io.runledger.console.picture.RunGraph
import io.runledger.console.picture.StepGroup
import io.runledger.model.history.WorkflowStory
import java.time.Instant

/** Draws the graphs of runs. Keeps the layouts of the last ones, so that a change of a state costs only a drawing. */
internal class RunPictures {
    private val layouts = GraphLayouts()

    class Graph(val svg: String, val groups: List<StepGroup>)

    fun graph(story: WorkflowStory, now: Instant, options: PictureOptions): Graph {
        val graph = RunGraph.of(story, now, layouts = layouts)
        return Graph(graph.svg(options), graph.groups(options))
    }
}
