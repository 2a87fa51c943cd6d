package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Visit
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.html.FlowContent
import java.util.UUID

/** An action on one step of a run. The key of the step is a parameter, because it may contain slashes. */
internal abstract class StepAction(name: String, label: String, section: Section, isDangerous: Boolean = false) :
    Action<WorkflowStep>("/runs/{id}/$name", label, section, isDangerous = isDangerous) {
    override fun find(visit: Visit): WorkflowStep {
        val key = visit.query["step"] ?: throw NoSuchPageException(visit.request.path)
        return visit.ledgers.writes.workflows.getStep(visit.scope, visit.id(), key)
    }

    override fun address(subject: WorkflowStep): String = address(subject.runId(), subject.stepKey())

    fun address(runId: UUID, stepKey: String): String = "${path.replace("{id}", runId.toString())}?step=${Visit.inQuery(stepKey)}"

    override fun home(subject: WorkflowStep): String = "/runs/${subject.runId()}"

    override fun title(subject: WorkflowStep): String = "$label: ${subject.stepKey()}"

    override fun seen(subject: WorkflowStep): String = subject.status().inWords()

    override fun preview(content: FlowContent, visit: Visit, subject: WorkflowStep) = content.facts {
        fact("Run") { mono(subject.runId().toString()) }
        fact("Step") { mono(subject.stepKey()) }
        fact("State") { state(subject.status()) }
        subject.gate()?.expiresAt()?.let { fact("Expires") { exactly(it) } }
    }
}

/** An action on a gate that waits for its completion. */
internal abstract class GateAction(name: String, label: String, isDangerous: Boolean = false) :
    StepAction(name, label, Section.GATES, isDangerous) {
    override fun refusal(subject: WorkflowStep): String? = when {
        subject.gate() == null -> "The step is a job, not a gate."
        subject.status() == WorkflowStepStatus.WAITING_FOR_EXTERNAL -> null
        subject.isTerminal -> "The gate was completed already: it is ${subject.status().inWords()}."
        else -> "The gate has not opened yet: it is ${subject.status().inWords()}."
    }
}
