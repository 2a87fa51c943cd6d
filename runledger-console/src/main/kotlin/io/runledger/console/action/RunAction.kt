package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.page.facts
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.workflow.WorkflowRun
import kotlinx.html.FlowContent

/** An action on one workflow run. */
internal abstract class RunAction(name: String, label: String, isDangerous: Boolean = false) :
    Action<WorkflowRun>("/runs/{id}/$name", label, Section.RUNS, isDangerous = isDangerous) {
    override fun find(visit: Visit): WorkflowRun = visit.ledgers.writes.workflows.get(visit.scope, visit.id())

    override fun address(subject: WorkflowRun): String = path.replace("{id}", subject.id().toString())

    override fun home(subject: WorkflowRun): String = "/runs/${subject.id()}"

    override fun title(subject: WorkflowRun): String = "$label: ${subject.workflowType()}"

    override fun refusal(subject: WorkflowRun): String? =
        "The run has ended: it is ${subject.status().inWords()}.".takeIf { subject.isTerminal }

    /** Steps end all the time while a run is running, so their numbers are not part of what the operator decided about. */
    override fun seen(subject: WorkflowRun): String = when {
        subject.isTerminal -> subject.status().inWords()
        subject.isPaused -> "paused"
        else -> "running"
    }

    override fun preview(content: FlowContent, visit: Visit, subject: WorkflowRun) = content.facts {
        fact("Run") { mono(subject.id().toString()) }
        fact("State") { state(subject.status()) }
        fact("Open steps", subject.openSteps().toString())
        fact("Running or queued steps", subject.activeSteps().toString())
        fact("Open gates", subject.waitingSteps().toString())
        fact("Failed steps", subject.errorSteps().toString())
        fact("Started") { moment(subject.startedAt()) }
        fact("Paused because", subject.pauseReason())
    }
}
