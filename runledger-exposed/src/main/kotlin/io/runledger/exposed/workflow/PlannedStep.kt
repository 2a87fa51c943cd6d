package io.runledger.exposed.workflow

import io.runledger.model.id.UuidV7
import io.runledger.model.json.Json
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.StepRequest
import io.runledger.model.state.StepKind
import io.runledger.model.state.WorkflowStepStatus
import java.util.UUID

/**
 * A step that is going to be inserted: what was asked for, and where it stands from the start. Whether it is skipped is null
 * where only the ledger can tell.
 */
internal class PlannedStep(
    val runId: UUID,
    val organizationId: UUID?,
    val ordinal: Int,
    val request: StepRequest,
    val payload: Json,
    val retryPolicy: Json?,
    val condition: Json?,
    val pending: Int,
    val unsatisfied: Int,
    isSkipped: Boolean?,
) {
    val id: UUID = UuidV7.next()

    /** Whether it waits for nothing and yet may not begin: the statement that fires steps decides about it. */
    val isUndecided: Boolean = isSkipped == null && pending == 0 && (unsatisfied > 0 || condition != null)

    val status: WorkflowStepStatus = when {
        isSkipped == true -> WorkflowStepStatus.SKIPPED
        pending > 0 || isUndecided -> WorkflowStepStatus.BLOCKED
        request.kind() == StepKind.JOB -> WorkflowStepStatus.ENQUEUED
        else -> WorkflowStepStatus.WAITING_FOR_EXTERNAL
    }

    /** The id of the job of a step that begins at once. */
    val jobId: UUID? = if (status == WorkflowStepStatus.ENQUEUED) UuidV7.next() else null

    val job: JobStep? get() = request as? JobStep
}
