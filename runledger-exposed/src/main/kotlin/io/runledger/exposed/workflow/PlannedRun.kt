package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.json.storedForm
import io.runledger.model.json.Json
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.util.UUID

/** A run to be inserted, with all its steps and its initial status. */
internal class PlannedRun(
    val id: UUID,
    val request: WorkflowRequest,
    val metadata: Json,
    val context: Json,
    val headers: Map<String, String>,
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

    /** A run without open steps has ended when it is inserted, so it does not take the key. */
    val activeKey: String? get() = request.activeKey().takeIf { openSteps > 0 }

    /** Stored with every run, because a recovery rebuilds the run from it. */
    val snapshot: Json = RunSnapshot.ofRun(this)

    companion object {
        /** The run of a call that starts it, with the headers that the client adds. */
        fun enqueued(request: WorkflowRequest, context: LedgerContext): PlannedRun =
            of(request, context, context.headers.enqueued(request.headers(), HeaderSource.Kind.RUN, request.type()))

        /** The run of a schedule or a recovery. */
        fun of(request: WorkflowRequest, context: LedgerContext, headers: Map<String, String> = request.headers()): PlannedRun {
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
                    condition = step.condition()?.storedForm(),
                    pending = step.dependencies().count { it.step() !in skipped },
                    unsatisfied = step.dependencies().count { it.step() in skipped && it.mode() != ReleaseMode.ON_TERMINAL },
                    isSkipped = step.key() in skipped,
                    jobHeaders = context.jobHeaders(step, headers),
                )
            }
            return PlannedRun(
                id,
                request,
                context.encoded(request.metadata(), "workflow $type", ValueKind.METADATA),
                shared,
                headers,
                steps,
            )
        }
    }
}
