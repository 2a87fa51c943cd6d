package io.runledger.console.screen.run

import io.runledger.console.action.runActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.live
import io.runledger.console.page.tabs
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Document
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.workflow.WorkflowRun

/** One run: its state, and its steps as a graph, on a time axis, as a story and as a table. */
internal class RunScreen(private val pictures: RunPictures) : Screen {
    override fun register(routes: Routes) {
        routes.page("/runs/{id}", page = ::run)
        routes.get("/runs/{id}/json/{what}", answer = ::document)
    }

    private fun run(visit: Visit): Page {
        val reads = RunReads(visit, visit.id())
        val run = reads.run()
        val view = RunView.of(visit.query["view"])
        return Page("Run of ${run.workflowType()}", Section.RUNS, Topic.OfRun(run.id())) {
            live("run-facts", visit) {
                runHeader(visit, reads)
                runActions(visit, run)
            }
            tabs(visit, runPath(run.id()), "view", view.parameter, RunView.entries.map { it.parameter to it.label })
            live("run-view", visit) {
                when (view) {
                    RunView.GRAPH -> graphView(visit, reads, pictures)
                    RunView.TIMELINE -> timelineView(visit, reads)
                    RunView.STORY -> storyView(visit, reads)
                    RunView.STEPS -> stepTable(visit, reads)
                    RunView.DATA -> runData(visit, run)
                }
            }
        }
    }

    private fun document(visit: Visit): Answer {
        val run = visit.reads.workflows.get(visit.scope, visit.id())
        val json = documents[visit.part("what")]?.invoke(run) ?: throw NoSuchPageException(visit.request.path)
        return Document("application/json", visit.ledgers.json.whole(json))
    }

    private companion object {
        val documents = mapOf(
            "context" to WorkflowRun::context,
            "metadata" to WorkflowRun::metadata,
            "result" to WorkflowRun::result,
        )
    }
}

/** What the page of a run shows below its header. */
internal enum class RunView(val label: String) {
    GRAPH("Graph"),
    TIMELINE("Timeline"),
    STORY("Story"),
    STEPS("Steps"),
    DATA("Data"),
    ;

    val parameter: String get() = name.lowercase()

    companion object {
        fun of(parameter: String?): RunView = entries.firstOrNull { it.parameter == parameter } ?: GRAPH
    }
}
