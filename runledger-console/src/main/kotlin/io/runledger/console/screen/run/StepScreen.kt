package io.runledger.console.screen.run

import io.runledger.console.action.gateActions
import io.runledger.console.action.stepActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.json
import io.runledger.console.page.ledgerText
import io.runledger.console.page.live
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Document
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** One step of a run. */
internal class StepScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/runs/{id}/steps/{key}", page = ::step)
        routes.get("/runs/{id}/steps/{key}/json/{what}", answer = ::document)
    }

    private fun step(visit: Visit): Page {
        val reads = RunReads(visit, visit.id())
        val key = visit.part("key")
        val step = visit.snapshot("run ${reads.id} step $key") { visit.reads.workflows.getStep(visit.scope, reads.id, key) }
        val title = if (step.kind() == StepKind.EXTERNAL) "Gate" else "Step"
        return Page("$title ${step.stepKey()}", Section.RUNS, Topic.OfRun(reads.id)) {
            p {
                +"Of run "
                a(href = visit.link(runPath(reads.id))) { ledgerText("${reads.run().workflowType()} ${reads.id}") }
            }
            live("step", visit) {
                stepFacts(visit, step)
                gateActions(visit, reads.run(), step)
                stepActions(visit, step)
                neighbours(visit, reads, step)
                data(visit, step)
            }
        }
    }

    private fun FlowContent.data(visit: Visit, step: WorkflowStep) = div("columns") {
        fun whole(what: String) = visit.link("${stepPath(step.runId(), step.stepKey())}/json/$what")
        section {
            h2 { +"Payload" }
            json(visit, step.payload(), whole("payload"))
        }
        section {
            h2 { +"Output" }
            json(visit, step.output(), whole("output"))
        }
    }

    private fun document(visit: Visit): Answer {
        val step = visit.reads.workflows.getStep(visit.scope, visit.id(), visit.part("key"))
        val json = documents[visit.part("what")]?.invoke(step) ?: throw NoSuchPageException(visit.request.path)
        return Document("application/json", visit.ledgers.json.whole(json))
    }

    private companion object {
        val documents = mapOf("payload" to WorkflowStep::payload, "output" to WorkflowStep::output)
    }
}
