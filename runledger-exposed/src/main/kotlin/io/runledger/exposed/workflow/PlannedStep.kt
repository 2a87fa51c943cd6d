package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.storedForm
import io.runledger.model.json.Json
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.StepRequest
import io.runledger.model.workflow.WorkflowStepStatus
import java.util.UUID

/**
 * A step to be inserted: its request and its initial status. `isSkipped` is null if only the database can decide whether the step
 * is skipped.
 */
internal class PlannedStep(
    val runId: UUID,
    val organizationId: UUID?,
    val ordinal: Int,
    val request: StepRequest,
    val payload: Json,
    val condition: Json?,
    val pending: Int,
    val unsatisfied: Int,
    isSkipped: Boolean?,
    /** The headers of its job: those of the run and its own. */
    val jobHeaders: Map<String, String>,
) {
    val id: UUID = UuidV7.next()

    /** Whether the step waits for nothing, but `run_advance` has to decide whether it begins. */
    val isUndecided: Boolean = isSkipped == null && pending == 0 && (unsatisfied > 0 || condition != null)

    val status: WorkflowStepStatus = when {
        isSkipped == true -> WorkflowStepStatus.SKIPPED
        pending > 0 || isUndecided -> WorkflowStepStatus.BLOCKED
        request.kind() == StepKind.JOB -> WorkflowStepStatus.ENQUEUED
        else -> WorkflowStepStatus.WAITING_FOR_EXTERNAL
    }

    /** The id that the job gets when the step is released. A gate has none. */
    val jobId: UUID? = if (request.kind() == StepKind.JOB) UuidV7.next() else null

    val job: JobStep? get() = request as? JobStep

    /** The headers that the step adds to those of the run. */
    val headers: Map<String, String> = job?.headers().orEmpty()

    /** The settings of the step's job. A gate has none. */
    val settings: StoredSettings = job?.settings()?.storedForm() ?: StoredSettings.NONE
}

/** The headers of the job of [step], which belongs to a run with the headers [ofRun]. */
internal fun LedgerContext.jobHeaders(step: StepRequest, ofRun: Map<String, String>): Map<String, String> =
    if (step is JobStep) headers.ofStep(step.headers(), ofRun, step.key()) else emptyMap()
