package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.visit.Visit
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.html.FlowContent
import kotlinx.html.p

/** What the user can do with [run]. */
internal fun FlowContent.runActions(visit: Visit, run: WorkflowRun) {
    if (!run.isTerminal && !visit.may(ConsoleRole.OPERATOR)) p("note") { +"Operators can pause and cancel this run." }
}

/** What the user can do with [step] if it is an open gate of [run]. */
internal fun FlowContent.gateActions(visit: Visit, run: WorkflowRun, step: WorkflowStep) {
    if (step.status() != WorkflowStepStatus.WAITING_FOR_EXTERNAL) return
    p("note") {
        +if (visit.may(ConsoleRole.OPERATOR)) "The service completes this gate." else "Operators can complete this gate."
        if (run.isPaused) +" The run is paused: steps that wait for the gate start when the run is resumed."
    }
}
