package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.actionLinks
import io.runledger.console.visit.Visit
import io.runledger.model.run.OpenGate
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.p

/** Links to the actions that the user may take on [run] in its state. */
internal fun FlowContent.runActions(visit: Visit, run: WorkflowRun) = actionLinks(visit, run, Actions.ofRun)

/** Links to the actions that the user may take on [step] of a run. */
internal fun FlowContent.stepActions(visit: Visit, step: WorkflowStep) = actionLinks(visit, step, Actions.ofStep)

/** Links to the actions that the user may take on [step] if it is an open gate of [run]. */
internal fun FlowContent.gateActions(visit: Visit, run: WorkflowRun, step: WorkflowStep) {
    if (step.status() != WorkflowStepStatus.WAITING_FOR_EXTERNAL) return
    actionLinks(visit, step, Actions.ofGate)
    if (run.isPaused) p("note") { +"The run is paused: steps that wait for the gate start when the run is resumed." }
}

/** Links to the actions that the user may take on the open gate [gate], in a list of gates. */
internal fun FlowContent.gateActions(visit: Visit, gate: OpenGate) {
    if (!visit.may(ConsoleRole.OPERATOR)) return
    div("actions") {
        Actions.ofGate.forEach { action ->
            a(href = visit.link(action.address(gate.runId(), gate.stepKey())), classes = "button") { +action.label }
        }
    }
}
