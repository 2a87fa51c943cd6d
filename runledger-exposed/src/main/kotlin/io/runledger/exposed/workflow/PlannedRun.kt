package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.json.storedForm
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.json.Json
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.WorkflowRunStatus
import io.runledger.model.state.WorkflowStepStatus
import java.util.UUID

/** A run that is going to be inserted, with all its steps and where it stands from the start. */
internal class PlannedRun(val id: UUID, val request: WorkflowRequest, val metadata: Json, val steps: List<PlannedStep>) {
    val activeSteps: Int = steps.count { it.status == WorkflowStepStatus.ENQUEUED }
    val waitingSteps: Int = steps.count { it.status == WorkflowStepStatus.WAITING_FOR_EXTERNAL }
    val status: WorkflowRunStatus = if (activeSteps > 0) WorkflowRunStatus.RUNNING else WorkflowRunStatus.WAITING_FOR_EXTERNAL

    /** Kept for every run: a recovery is rebuilt from it. */
    val snapshot: Json = RunSnapshot.ofRun(metadata, request.activeKey(), request.resultStep(), steps)

    companion object {
        fun of(request: WorkflowRequest, context: LedgerContext): PlannedRun {
            val id = UuidV7.next()
            val type = Text.quoted(request.type())
            val steps = request.steps().mapIndexed { ordinal, step ->
                val what = "step ${Text.quoted(step.key())} of workflow $type${step.declaredAt().inBrackets()}"
                PlannedStep(
                    runId = id,
                    organizationId = step.organizationId() ?: request.organizationId(),
                    ordinal = ordinal,
                    request = step,
                    payload = context.encoded(step.payload(), what),
                    retryPolicy = (step as? JobStep)?.retryPolicy()?.storedForm(),
                    pending = step.dependencies().size,
                    unsatisfied = 0,
                )
            }
            return PlannedRun(id, request, context.encoded(request.metadata(), "workflow $type"), steps)
        }
    }
}
