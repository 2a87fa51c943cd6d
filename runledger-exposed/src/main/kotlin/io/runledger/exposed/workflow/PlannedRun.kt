package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.json.storedForm
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.json.Json
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.ReleaseMode
import io.runledger.model.state.WorkflowRunStatus
import io.runledger.model.state.WorkflowStepStatus
import java.util.UUID

/** A run that is going to be inserted, with all its steps and where it stands from the start. */
internal class PlannedRun(
    val id: UUID,
    val request: WorkflowRequest,
    val metadata: Json,
    val context: Json,
    val steps: List<PlannedStep>,
) {
    val activeSteps: Int = steps.count { it.status == WorkflowStepStatus.ENQUEUED }
    val waitingSteps: Int = steps.count { it.status == WorkflowStepStatus.WAITING_FOR_EXTERNAL }
    val openSteps: Int = steps.count { !it.status.isTerminal }
    val status: WorkflowRunStatus = when {
        openSteps == 0 -> WorkflowRunStatus.SUCCEEDED
        activeSteps > 0 -> WorkflowRunStatus.RUNNING
        else -> WorkflowRunStatus.WAITING_FOR_EXTERNAL
    }

    /** A run that has nothing to do never lives, so it takes no key from one that does. */
    val activeKey: String? get() = request.activeKey().takeIf { openSteps > 0 }

    /** Kept for every run: a recovery is rebuilt from it. */
    val snapshot: Json = RunSnapshot.ofRun(this)

    companion object {
        fun of(request: WorkflowRequest, context: LedgerContext): PlannedRun {
            val id = UuidV7.next()
            val type = Text.quoted(request.type())
            val shared = context.encoded(request.context(), "workflow $type", ValueKind.CONTEXT)
                .requireObject("The context of workflow $type")
            val skipped = skippedAtOnce(request.steps(), shared)
            val steps = request.steps().mapIndexed { ordinal, step ->
                val what = "step ${Text.quoted(step.key())} of workflow $type${step.declaredAt().inBrackets()}"
                PlannedStep(
                    runId = id,
                    organizationId = step.organizationId() ?: request.organizationId(),
                    ordinal = ordinal,
                    request = step,
                    payload = context.encoded(step.payload(), what),
                    retryPolicy = (step as? JobStep)?.retryPolicy()?.storedForm(),
                    condition = step.condition()?.storedForm(),
                    pending = step.dependencies().count { it.step() !in skipped },
                    unsatisfied = step.dependencies().count { it.step() in skipped && it.mode() != ReleaseMode.ON_TERMINAL },
                    isSkipped = step.key() in skipped,
                )
            }
            return PlannedRun(
                id,
                request,
                context.encoded(request.metadata(), "workflow $type", ValueKind.METADATA),
                shared,
                steps,
            )
        }
    }
}
