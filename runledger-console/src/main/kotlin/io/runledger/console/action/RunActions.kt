package io.runledger.console.action

import io.runledger.console.content.of
import io.runledger.console.form.Order
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowRunStatus

internal class PauseRun : RunAction("pause", "Pause the run") {
    override fun refusal(subject: WorkflowRun): String? =
        super.refusal(subject) ?: "The run is paused already.".takeIf { subject.isPaused }

    override fun consequence(subject: WorkflowRun): String =
        "No further step of this run starts until it is resumed. Running attempts finish and count. Deadlines of gates, " +
            "timeouts and delays continue to elapse."

    override fun act(order: Order<WorkflowRun>): String? {
        order.ledger.workflows.pause(order.scope, order.subject.id(), order.reason)
        return null
    }
}

internal class ResumeRun : RunAction("resume", "Resume the run") {
    override fun refusal(subject: WorkflowRun): String? =
        super.refusal(subject) ?: "The run is not paused.".takeIf { !subject.isPaused }

    override fun consequence(subject: WorkflowRun): String =
        "The run continues. Steps that became ready during the pause and are due start at once."

    override fun act(order: Order<WorkflowRun>): String? {
        order.ledger.workflows.resume(order.scope, order.subject.id(), order.reason)
        return null
    }
}

internal class CancelRun : RunAction("cancel", "Cancel the run", isDangerous = true) {
    override fun consequence(subject: WorkflowRun): String = "Cancels 1 run and its " +
        "${subject.openSteps().toLong().of("open step")}. Running handlers are interrupted at their next heartbeat, and what " +
        "they write after that is discarded. Steps that have ended keep their results."

    override fun act(order: Order<WorkflowRun>): String? {
        order.ledger.workflows.cancel(order.scope, order.subject.id(), order.reason)
        return null
    }
}

internal class RetryFailedSteps : RunAction("retry", "Retry the failed steps") {
    override fun refusal(subject: WorkflowRun): String? = when (subject.status()) {
        WorkflowRunStatus.COMPLETED_WITH_ERRORS -> null
        else -> "The run has no failed steps to retry: it is ${seen(subject)}."
    }

    override fun consequence(subject: WorkflowRun): String =
        "Runs the failed and canceled steps of this run again, in the same run. Succeeded steps are not repeated."

    override fun act(order: Order<WorkflowRun>): String? {
        order.ledger.workflows.retryFailed(order.scope, order.subject.id(), order.key, order.reason)
        return null
    }
}

internal class RecoverRun : RunAction("recover", "Start it again as a new run") {
    override fun refusal(subject: WorkflowRun): String? = "The run has not ended. Cancel it first.".takeIf { !subject.isTerminal }

    override fun consequence(subject: WorkflowRun): String =
        "Starts 1 new run from the request of this one, with all its steps. Steps that succeeded here are repeated there. This " +
            "run does not change."

    override fun act(order: Order<WorkflowRun>): String {
        val request = RecoveryRequest.of(order.subject.id(), order.key, order.reason)
        return "/runs/${order.ledger.workflows.recover(order.scope, request).runId()}"
    }
}
