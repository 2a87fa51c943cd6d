package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.control.CancelRun
import io.runledger.exposed.workflow.ActiveKeys
import io.runledger.exposed.workflow.AppendSteps
import io.runledger.exposed.workflow.CompleteGate
import io.runledger.exposed.workflow.EditStep
import io.runledger.exposed.workflow.EnqueueRuns
import io.runledger.exposed.workflow.PauseRun
import io.runledger.exposed.workflow.RecoverRun
import io.runledger.exposed.workflow.RetryFailed
import io.runledger.exposed.workflow.read.WorkflowReads
import io.runledger.model.job.JobType
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.run.AppendedSteps
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.PausedRun
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.ResumedRun
import io.runledger.model.run.RetriedRun
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRun
import java.lang.reflect.Type
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture

/** Starts, reads and changes workflow runs. */
public class Workflows internal constructor(context: LedgerContext, private val awaits: AwaitRuns) : WorkflowReads(context) {
    private val intake = EnqueueRuns(context)
    private val activeKeys = ActiveKeys(context)
    private val gates = CompleteGate(context)
    private val cancellations = CancelRun(context)
    private val pauses = PauseRun(context)
    private val appends = AppendSteps(context)
    private val edits = EditStep(context)
    private val retries = RetryFailed(context)
    private val recoveries = RecoverRun(context)

    /**
     * Starts a workflow. Its first jobs are queued and its first gates open when the call, or the caller's transaction,
     * commits. With an idempotency key the call can be repeated: the same request returns the existing run, whatever its
     * state. A different request with the same key is refused with `workflow.enqueue_conflicting_retry`.
     *
     * Refused with `workflow.definition_not_found_or_disabled` naming the step, `job.payload_too_large`,
     * `job.invalid_payload`, `workflow.context_too_large`, or `workflow.active_key_api_required` for a workflow with an active
     * key. A request with an idempotency key is refused with `workflow.enqueue_idempotency_unsupported_isolation` in a joined
     * transaction that is not READ COMMITTED.
     */
    public fun enqueue(request: WorkflowRequest): EnqueuedWorkflow = intake.enqueue(listOf(request)).single()

    /**
     * Starts many workflows: all of them, or none if one is refused. The results are in the order of [requests]. The number of
     * statements depends neither on the number of workflows nor on their size.
     */
    public fun enqueueAll(requests: List<WorkflowRequest>): List<EnqueuedWorkflow> = intake.enqueue(requests)

    /**
     * Starts a workflow unless a live run of its organization holds its active key. In that case the call returns that run, as
     * [io.runledger.model.ledger.Disposition.ACTIVE]. A run releases its key when it ends. A canceled run may keep the key
     * until its handlers must have stopped, so the returned run may have ended already.
     *
     * Refused with `workflow.active_key_required` for a workflow without an active key; otherwise as [enqueue].
     */
    public fun enqueueUnlessActive(request: WorkflowRequest): EnqueuedWorkflow = activeKeys.enqueueUnlessActive(request)

    /**
     * Completes an open gate and releases the steps that wait for it. Repeating the same completion returns the gate again. A
     * different completion is refused with `workflow.external_step_conflicting_completion_retry`, or with
     * `workflow.external_step_conflicting_output_retry` if only the output differs.
     *
     * Refused with `workflow.external_step_not_found`, `workflow.external_step_not_external` for a job,
     * `workflow.external_step_not_waiting` for a gate that has not opened, `job.invalid_output` or `job.output_too_large` for
     * its output, or in a joined transaction that is not READ COMMITTED with
     * `workflow.external_completion_unsupported_isolation`.
     */
    public fun completeGate(scope: Scope, completion: GateCompletion): WorkflowStep = gates.complete(scope, completion)

    /** [completeGate] as succeeded, without an output. */
    public fun completeGate(scope: Scope, runId: UUID, stepKey: String): WorkflowStep =
        completeGate(scope, GateCompletion.succeeded(runId, stepKey))

    /** [completeGate] as succeeded, with an [output] for dependent steps: `Json`, or an object that the codec encodes. */
    public fun completeGate(scope: Scope, runId: UUID, stepKey: String, output: Any?): WorkflowStep =
        completeGate(scope, GateCompletion.succeeded(runId, stepKey, output))

    /** [completeGate] as failed. */
    public fun failGate(scope: Scope, runId: UUID, stepKey: String, errorCode: String, errorMessage: String): WorkflowStep =
        completeGate(scope, GateCompletion.failed(runId, stepKey, errorCode, errorMessage))

    /**
     * Cancels a run with its waiting, running and blocked steps. Steps that have ended keep their results. A run that has
     * ended is returned unchanged. The call notifies running handlers but does not wait for them; all their later writes are
     * discarded.
     *
     * Refused with `workflow.run_not_found`, or in a joined transaction that is not READ COMMITTED with
     * `workflow.cancel_unsupported_isolation`.
     */
    @JvmOverloads
    public fun cancel(
        scope: Scope,
        runId: UUID,
        reason: String? = null,
        errorCode: String? = null,
        errorMessage: String? = null,
    ): WorkflowRun = cancellations.cancel(scope, runId, reason, errorCode, errorMessage)

    /**
     * Pauses a run: until [resume], no step starts and no attempt is repeated. Running attempts finish and count. Gates can be
     * completed and expire, steps can be appended and edited, and the run can be canceled. Deadlines of gates, timeouts and
     * delays continue to elapse. A paused run with nothing left to start ends, and its pause ends with it. Repeatable: a
     * paused run keeps its reason, and a run that has ended is returned unchanged.
     *
     * Refused with `workflow.run_not_found`, or in a joined transaction that is not READ COMMITTED with
     * `workflow.pause_unsupported_isolation`.
     */
    @JvmOverloads
    public fun pause(scope: Scope, runId: UUID, reason: String? = null): PausedRun = pauses.pause(scope, runId, reason)

    /**
     * Resumes a paused run: steps that became ready during the pause and are due start at once. Repeatable, and refused as
     * [pause]. The run's events record each pause and resume with its reason.
     */
    @JvmOverloads
    public fun resume(scope: Scope, runId: UUID, reason: String? = null): ResumedRun = pauses.resume(scope, runId, reason)

    /**
     * Adds steps to a run while one of its gates is open. Repeating the same request with the same mutation key returns the
     * steps again, even after the run has ended. A different request with the same key is refused with
     * `workflow.append_conflicting_retry`.
     *
     * Refused with `workflow.run_not_found`, `workflow.append_window_missing`, `workflow.append_window_not_external`,
     * `workflow.append_window_not_open`, `workflow.append_terminal_run`, a code of `workflow.invalid_dag…` if the steps do not
     * fit the run, `workflow.definition_not_found_or_disabled`, or in a joined transaction that is not READ COMMITTED with
     * `workflow.append_unsupported_isolation`.
     */
    public fun append(scope: Scope, request: AppendRequest): AppendedSteps = appends.append(scope, request)

    /**
     * Replaces the payload of a step that has not ended and is not running, and of its job if it has one. Returns the step.
     * Such a step waits for other steps, for its first or next attempt, or for the next run of a handler that continued. The
     * previous payload, which is the job's if there is one, stays in the run's history. The original request is kept:
     * repeating it still returns the run.
     *
     * Refused with `workflow.run_not_found`, `workflow.step_not_found`, `workflow.step_invalid_state` if the step is running
     * or has ended, `job.payload_too_large` or `job.invalid_payload`.
     */
    public fun editPayload(scope: Scope, runId: UUID, stepKey: String, payload: Payload, reason: String): WorkflowStep =
        edits.edit(scope, runId, stepKey, payload, reason)

    /**
     * [editPayload] with a value of the payload type that [type] declares. For a sealed payload type, such as the steps of a
     * machine, the JSON includes the name of the class, as after an enqueue.
     */
    public fun <P : Any> editPayload(
        scope: Scope,
        runId: UUID,
        stepKey: String,
        type: JobType<P>,
        payload: P,
        reason: String,
    ): WorkflowStep = editPayload(scope, runId, stepKey, Payload.of(payload, type.payloadType()), reason)

    /**
     * Runs the failed and canceled steps of a run again, in the same run. Succeeded steps are not repeated. The earlier
     * attempts stay in the run's history, and the dead letters of the steps are closed. Repeating the same request with the
     * same key has no further effect.
     *
     * Refused with `workflow.run_not_found`, `workflow.retry_not_possible` unless the run is COMPLETED_WITH_ERRORS,
     * `workflow.recovery_request_conflict` if the key was used for a different request, `workflow.recovery_active_constraint`
     * if another run holds its active key, `workflow.release_conflict` while a canceled handler may still be running, or in a
     * joined transaction that is not READ COMMITTED with `workflow.recovery_unsupported_isolation`.
     */
    public fun retryFailed(scope: Scope, request: RetryFailedRequest): RetriedRun = retries.retry(scope, request)

    /** [retryFailed] with the idempotency key [requestKey], which is unique within the run, and a [reason]. */
    public fun retryFailed(scope: Scope, runId: UUID, requestKey: String, reason: String): RetriedRun =
        retryFailed(scope, RetryFailedRequest(runId, requestKey, reason))

    /**
     * Repeats an ended run as a new run with all its steps, including appended ones. The source run is not changed. Repeating
     * the same request with the same key returns the same new run.
     *
     * Refused with `workflow.recovery_source_not_found`, `workflow.recovery_source_not_terminal`,
     * `workflow.recovery_source_step_not_found`, `workflow.recovery_snapshot_missing`, `workflow.recovery_snapshot_unsafe` if
     * the run's steps were changed by hand, `workflow.recovery_request_conflict`, `workflow.recovery_active_constraint` if
     * another run holds its active key, or in a joined transaction that is not READ COMMITTED with
     * `workflow.recovery_unsupported_isolation`.
     */
    public fun recover(scope: Scope, request: RecoveryRequest): EnqueuedWorkflow = recoveries.recover(scope, request)

    /**
     * Waits for the run to end, with any result, and completes with the run. If the run has ended, the future completes at
     * once. Any number of callers may wait: they share one listener connection and one polling statement. Only committed runs
     * are visible, even if this ledger is in a joined transaction. Canceling the future ends the wait and has no other effect.
     *
     * The future fails with `workflow.run_not_found`, or with `workflow.result_wait_timeout` if the run has not ended after
     * [timeout]. The default is five minutes; zero checks exactly once; null waits without limit. If the database is
     * temporarily unreachable, the wait continues.
     */
    @JvmOverloads
    public fun await(scope: Scope, runId: UUID, timeout: Duration? = DEFAULT_TIMEOUT): CompletableFuture<WorkflowRun> =
        awaits.await(scope, runId, timeout)

    /**
     * Waits as [await] does, and completes with the result of the run: the output of its result step as a [type]. The result
     * is null only for the JSON value null.
     *
     * The future fails as that of [await] does. It fails at once with `workflow.result_not_declared` if the run has no result
     * step. After the end of the run it fails with `workflow.result_unsuccessful_terminal`, with `workflow.result_missing` if
     * the result step returned nothing, or with `job.invalid_payload` if the codec cannot read the result as a [type].
     */
    @JvmOverloads
    public fun <T : Any> awaitResult(
        scope: Scope,
        runId: UUID,
        type: Class<T>,
        timeout: Duration? = DEFAULT_TIMEOUT,
    ): CompletableFuture<T?> = awaits.awaitResult(scope, runId, type, timeout)

    /** [awaitResult] for a generic type, such as a list or a map. The caller must pass a [type] that matches [T]. */
    @JvmOverloads
    public fun <T : Any> awaitResult(
        scope: Scope,
        runId: UUID,
        type: Type,
        timeout: Duration? = DEFAULT_TIMEOUT,
    ): CompletableFuture<T?> = awaits.awaitResult(scope, runId, type, timeout)

    private companion object {
        val DEFAULT_TIMEOUT: Duration = Duration.ofMinutes(5)
    }
}
