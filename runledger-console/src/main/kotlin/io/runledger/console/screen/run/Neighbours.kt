package io.runledger.console.screen.run

import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.history.WorkflowStory
import io.runledger.model.run.StepDependency
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.ReleaseMode
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** The steps that [step] waits for, and those that wait for it. */
internal fun FlowContent.neighbours(visit: Visit, reads: RunReads, step: WorkflowStep) {
    val story = reads.story()
    if (story == null) {
        tooManySteps(visit, reads)
        return
    }
    div("columns") {
        section {
            h2 { +"Waits for" }
            table(
                "Steps that it waits for",
                visit,
                story.beside(
                    story.dependencies().filter {
                        it.dependentStepId() == step.id()
                    },
                ) { it.prerequisiteStepId() },
            )
        }
        section {
            h2 { +"Steps that wait for it" }
            table(
                "Steps that wait for it",
                visit,
                story.beside(
                    story.dependencies().filter {
                        it.prerequisiteStepId() == step.id()
                    },
                ) { it.dependentStepId() },
            )
        }
    }
}

private class Neighbour(val step: WorkflowStep, val dependency: StepDependency)

private fun WorkflowStory.beside(dependencies: List<StepDependency>, other: (StepDependency) -> Any): List<Neighbour> {
    val byId = steps().associateBy { it.id() }
    return dependencies.mapNotNull { found -> byId[other(found)]?.let { Neighbour(it, found) } }.sortedBy { it.step.ordinal() }
}

private fun FlowContent.table(caption: String, visit: Visit, neighbours: List<Neighbour>) {
    listing(caption, neighbours.take(SHOWN), "None.") {
        column("Step") { a(href = visit.link(stepPath(it.step.runId(), it.step.stepKey()))) { ledgerText(it.step.stepKey()) } }
        column("State") { state(it.step.status()) }
        column("Condition") { +it.dependency.releaseMode().words() }
        column("Input") { mono(it.dependency.inputName()) }
    }
    if (neighbours.size > SHOWN) p("note") { +"and ${neighbours.size - SHOWN} more" }
}

private fun ReleaseMode.words() = when (this) {
    ReleaseMode.ON_SUCCESS -> "succeeds"
    ReleaseMode.ON_FAILURE -> "fails or is canceled"
    ReleaseMode.ON_TERMINAL -> "ends in any way"
}

private const val SHOWN = 100
