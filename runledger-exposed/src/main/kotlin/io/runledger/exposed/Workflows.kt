package io.runledger.exposed

import io.runledger.exposed.workflow.ActiveKeys
import io.runledger.exposed.workflow.AppendSteps
import io.runledger.exposed.workflow.CancelRun
import io.runledger.exposed.workflow.CompleteGate
import io.runledger.exposed.workflow.EditStep
import io.runledger.exposed.workflow.EnqueueRuns
import io.runledger.exposed.workflow.ExpireGates
import io.runledger.exposed.workflow.PauseRun
import io.runledger.exposed.workflow.ReadOutputs
import io.runledger.exposed.workflow.RecoverRun
import io.runledger.exposed.workflow.RetryFailed
import io.runledger.exposed.workflow.read.WorkflowReads
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.spec.AppendRequest
import io.runledger.model.spec.GateCompletion
import io.runledger.model.spec.JobType
import io.runledger.model.spec.RecoveryRequest
import io.runledger.model.spec.RetryFailedRequest
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.AppendedSteps
import io.runledger.model.state.EnqueuedWorkflow
import io.runledger.model.state.ExpiredGate
import io.runledger.model.state.PausedRun
import io.runledger.model.state.ResumedRun
import io.runledger.model.state.RetriedRun
import io.runledger.model.state.Scope
import io.runledger.model.state.StepOutput
import io.runledger.model.state.WorkflowRun
import io.runledger.model.state.WorkflowStep
import java.lang.reflect.Type
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture

/** Starts workflow runs, looks at them and changes what becomes of them. */
public class Workflows internal constructor(context: LedgerContext) : WorkflowReads(context) {
    private val awaits = context.awaits
    private val intake = EnqueueRuns(context)
    private val activeKeys = ActiveKeys(context)
    private val gates = CompleteGate(context)
    private val deadlines = ExpireGates(context)
    private val cancellations = CancelRun(context)
    private val pauses = PauseRun(context)
    private val appends = AppendSteps(context)
    private val edits = EditStep(context)
    private val retries = RetryFailed(context)
    private val recoveries = RecoverRun(context)
    private val outputs = ReadOutputs(context)

    /**
     * Starts a workflow: its first jobs are queued and its first gates open when the call, or the caller's transaction, is
     * committed. With an idempotency key the call can be repeated: the same request gives the existing run, whatever became of
     * it; another request under the key is refused with `workflow.enqueue_conflicting_retry`.
     *
     * Refused with `workflow.definition_not_found_or_disabled` naming the step, `job.payload_too_large`, `job.invalid_payload`,
     * `workflow.context_too_large`, `workflow.active_key_api_required` for a workflow with an active key, or for an idempotency
     * key in a joined transaction that is not READ COMMITTED with `workflow.enqueue_idempotency_unsupported_isolation`.
     */
    public fun enqueue(request: WorkflowRequest): EnqueuedWorkflow = intake.enqueue(listOf(request)).single()

    /**
     * Starts many workflows at once: all of them, or none when one is refused. Answers in the order of [requests]. The number
     * of statements depends neither on how many there are nor on their size.
     */
    public fun enqueueAll(requests: List<WorkflowRequest>): List<EnqueuedWorkflow> = intake.enqueue(requests)

    /**
     * Starts a workflow unless a live run of its organization holds its active key; then it answers with that run, as
     * [io.runledger.model.state.Disposition.ACTIVE]. A run gives its key back when it ends; a canceled one may keep it until
     * its handlers must have noticed, so the run in the answer may have ended already.
     *
     * Refused with `workflow.active_key_required` for a workflow without one; else as [enqueue].
     */
    public fun enqueueUnlessActive(request: WorkflowRequest): EnqueuedWorkflow = activeKeys.enqueueUnlessActive(request)

    /**
     * Ends an open gate, and lets go on what waited for it. Repeating a completion in the same words gives the gate again; in
     * other words it is refused with `workflow.external_step_conflicting_completion_retry`, or with
     * `workflow.external_step_conflicting_output_retry` when only the output differs.
     *
     * Refused with `workflow.external_step_not_found`, `workflow.external_step_not_external` for a job,
     * `workflow.external_step_not_waiting` for a gate that has not opened, `job.invalid_output` or `job.output_too_large` for
     * its output, or in a joined transaction that is not READ COMMITTED with
     * `workflow.external_completion_unsupported_isolation`.
     */
    public fun completeGate(scope: Scope, completion: GateCompletion): WorkflowStep = gates.complete(scope, completion)

    /**
     * Ends up to [limit] gates that nobody completed in time, as each of them declared, with `workflow.gate_expired`. Workers
     * call it; any number may do so at once. A full answer means that there may be more.
     */
    public fun expireGates(limit: Int): List<ExpiredGate> = deadlines.expire(limit)

    /**
     * Cancels a run: what waits, what runs and what is blocked. What has ended keeps its result, and a run that has ended is
     * given back as it is. Running handlers are told and not waited for; nothing they write counts any more.
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
     * Pauses a run: no step of it starts, and no attempt of a step that was tried before, until [resume]. What runs goes on to
     * its end and counts; gates can be completed and expire, steps can be appended and edited, and the run can be canceled.
     * Times go on: deadlines of gates, timeouts, delays. A run with nothing left to start ends although it is paused, and the
     * pause with it. Repeatable: a run that is paused keeps its reason, and one that has ended is given back as it is.
     *
     * Refused with `workflow.run_not_found`, or in a joined transaction that is not READ COMMITTED with
     * `workflow.pause_unsupported_isolation`.
     */
    @JvmOverloads
    public fun pause(scope: Scope, runId: UUID, reason: String? = null): PausedRun = pauses.pause(scope, runId, reason)

    /**
     * Lets a paused run go on: whatever became ready meanwhile and is due starts at once. Repeatable, and refused as [pause]. The
     * run's events tell when it was paused and resumed, and why.
     */
    @JvmOverloads
    public fun resume(scope: Scope, runId: UUID, reason: String? = null): ResumedRun = pauses.resume(scope, runId, reason)

    /**
     * Adds steps to a run while one of its gates is open. The same request under the same mutation key gives the steps again,
     * even after the run has ended; another request under the key is refused with `workflow.append_conflicting_retry`.
     *
     * Refused with `workflow.run_not_found`, `workflow.append_window_missing`, `workflow.append_window_not_external`,
     * `workflow.append_window_not_open`, `workflow.append_terminal_run`, a code of `workflow.invalid_dag…` when the steps do not
     * fit the run, `workflow.definition_not_found_or_disabled`, or in a joined transaction that is not READ COMMITTED with
     * `workflow.append_unsupported_isolation`.
     */
    public fun append(scope: Scope, request: AppendRequest): AppendedSteps = appends.append(scope, request)

    /**
     * Replaces the payload of a step that nobody runs and that has not ended, of its job too if it has one, and answers with the
     * step: one that waits for other steps, for its first attempt or the next, or for the next run of a handler that continued.
     * The payload before, which is the job's where there is one, stays in the run's story. What the run was asked for stays too:
     * repeating that request still finds the run.
     *
     * Refused with `workflow.run_not_found`, `workflow.step_not_found`, `workflow.step_invalid_state` while the step runs and
     * when it has ended, `job.payload_too_large` or `job.invalid_payload`.
     */
    public fun editPayload(scope: Scope, runId: UUID, stepKey: String, payload: Payload, reason: String): WorkflowStep =
        edits.edit(scope, runId, stepKey, payload, reason)

    /**
     * [editPayload] with a value of the payload that [type] declares. Of a sealed payload, such as the steps of a machine, the
     * JSON then tells which class it is, as after an enqueue.
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
     * Runs the failed and canceled steps of a run again, in the same run; what succeeded stays and is not repeated. What the
     * steps did before stays in the run's story, and their dead letters are no longer open. The same request under the same key
     * changes nothing more.
     *
     * Refused with `workflow.run_not_found`, `workflow.retry_not_possible` unless the run is COMPLETED_WITH_ERRORS,
     * `workflow.recovery_request_conflict` for a key that was used for something else, `workflow.recovery_active_constraint` when
     * another run holds its active key now, `workflow.release_conflict` while a canceled handler may still be running, or in
     * a joined transaction that is not READ COMMITTED with `workflow.recovery_unsupported_isolation`.
     */
    public fun retryFailed(scope: Scope, request: RetryFailedRequest): RetriedRun = retries.retry(scope, request)

    /**
     * Does an ended run again as a new run, every step of it, also those that were appended. The source stays as it is. The
     * same request under the same key gives the same new run.
     *
     * Refused with `workflow.recovery_source_not_found`, `workflow.recovery_source_not_terminal`,
     * `workflow.recovery_source_step_not_found`, `workflow.recovery_snapshot_missing`, `workflow.recovery_snapshot_unsafe` when
     * somebody changed the run's steps by hand, `workflow.recovery_request_conflict`, `workflow.recovery_active_constraint` when
     * another run holds its active key, or in a joined transaction that is not READ COMMITTED with
     * `workflow.recovery_unsupported_isolation`.
     */
    public fun recover(scope: Scope, request: RecoveryRequest): EnqueuedWorkflow = recoveries.recover(scope, request)

    /**
     * What the prerequisites of a job's step left behind, in the order they were declared; empty for a job that is no step.
     * Workers ask it for the jobs they hold.
     */
    public fun prerequisites(jobId: UUID): List<StepOutput> = outputs.ofPrerequisites(jobId)

    /**
     * The value [name] in the context of the run that a job is a step of, as it stands; null when there is none or the job is no
     * step. Workers ask it for the jobs they hold.
     */
    public fun runContext(jobId: UUID, name: String): Json? = outputs.ofContext(jobId, name)

    /** Whether [expireGates] or [releaseActiveKeys] may have something to do: one cheap look, which workers take first. */
    public fun needUpkeep(): Boolean = deadlines.needUpkeep()

    /**
     * Frees up to [limit] active keys of runs that ended while canceled handlers might still have been running, and answers with
     * the runs. Workers call it.
     */
    public fun releaseActiveKeys(limit: Int): List<UUID> = activeKeys.release(limit)

    /**
     * Waits for the run to end, however it ends, and completes with it; at once when it has ended. Any number may wait: they
     * share one connection that listens and one statement that looks from time to time. Only committed runs are seen, also when
     * the ledger is one within a caller's transaction. Canceling the future ends the waiting and nothing else.
     *
     * The future fails with `workflow.run_not_found`, or with `workflow.result_wait_timeout` when the run goes on after
     * [timeout]: five minutes unless given, zero looks exactly once, null waits for ever. A database that is away for a while is
     * waited for.
     */
    @JvmOverloads
    public fun await(scope: Scope, runId: UUID, timeout: Duration? = DEFAULT_TIMEOUT): CompletableFuture<WorkflowRun> =
        awaits.await(scope, runId, timeout)

    /**
     * Waits as [await] does, for what the run returns: the output of its result step as a [type], null only for the JSON value
     * null.
     *
     * The future fails as that of [await] does, at once with `workflow.result_not_declared` when the run names no result step,
     * and after the run's end with `workflow.result_unsuccessful_terminal`, with `workflow.result_missing` when its result step
     * returned nothing, or with `job.invalid_payload` when the codec cannot read the result as a [type].
     */
    @JvmOverloads
    public fun <T : Any> awaitResult(
        scope: Scope,
        runId: UUID,
        type: Class<T>,
        timeout: Duration? = DEFAULT_TIMEOUT,
    ): CompletableFuture<T?> = awaits.awaitResult(scope, runId, type, timeout)

    /** [awaitResult] for a generic type, which the caller names and must get right: a list of them, a map. */
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
