package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.control.CancelJobs
import io.runledger.exposed.control.ChangeWaiting
import io.runledger.exposed.control.EditJob
import io.runledger.exposed.control.PreviewJobs
import io.runledger.exposed.control.ReadCauses
import io.runledger.exposed.control.ReadDeadLetters
import io.runledger.exposed.control.ReleaseOrder
import io.runledger.exposed.control.ReplayJobs
import io.runledger.exposed.control.RequeueJobs
import io.runledger.exposed.control.WaitingChange
import io.runledger.exposed.intake.EnqueueJobs
import io.runledger.exposed.read.JobReads
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.DeadLetterCauses
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.Job
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import io.runledger.model.job.SelectionPreview
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.function.Consumer

/** Enqueues, reads and changes jobs. */
public class Jobs internal constructor(context: LedgerContext) : JobReads(context) {
    private val intake = EnqueueJobs(context)
    private val cancellations = CancelJobs(context)
    private val requeues = RequeueJobs(context)
    private val replays = ReplayJobs(context)
    private val edits = EditJob(context)
    private val orders = ReleaseOrder(context)
    private val waiting = ChangeWaiting(context)
    private val deadLetters = ReadDeadLetters(context)
    private val causes = ReadCauses(context)
    private val previews = PreviewJobs(context)

    /**
     * Enqueues a job. With an idempotency key the call can be repeated: the same request returns the existing job, whatever
     * its status and even if its type has been disabled since. A different request with the same key is refused with
     * `job.idempotency_conflict`.
     *
     * Refused with `job.definition_not_found_or_disabled`, `job.payload_too_large` or `job.invalid_payload`. A request with a
     * key is refused with `job.enqueue_idempotency_unsupported_isolation` in a joined transaction that is not READ COMMITTED.
     */
    public fun enqueue(request: JobRequest): EnqueuedJob = intake.enqueue(listOf(request)).single()

    /** Enqueues a job with the defaults of the type's definition. */
    public fun <P : Any> enqueue(type: JobType<P>, payload: P): EnqueuedJob = enqueue(JobRequest.of(type, payload))

    /**
     * Enqueues a job with [settings] of its own, as [enqueue] of a request does:
     * `enqueue(type, payload) { it.idempotencyKey(key).runAt(dueAt) }`.
     */
    public fun <P : Any> enqueue(type: JobType<P>, payload: P, settings: Consumer<JobRequest.Builder>): EnqueuedJob =
        enqueue(JobRequest.builder(type, payload).also(settings::accept).build())

    /**
     * Enqueues many jobs: all of them, or none if one is refused. The results are in the order of [requests]. The number of
     * statements does not depend on the number of requests.
     */
    public fun enqueueAll(requests: List<JobRequest>): List<EnqueuedJob> = intake.enqueue(requests)

    /**
     * Cancels a job that has not ended and returns it. The call does not wait for a running handler. The handler is canceled
     * at its next lease renewal, and all its later writes are discarded. [Job.quietAt] is the time by which the handler must
     * have stopped.
     *
     * Refused with `job.not_found`, or with `job.invalid_state_transition` if the job has ended; this includes a repeated
     * cancel.
     */
    @JvmOverloads
    public fun cancel(scope: Scope, id: UUID, reason: String? = null): Job = cancellations.cancel(scope, id, reason)

    /**
     * Cancels many jobs in one statement. Returns a result for each of [ids], in their order. Jobs that have ended or do not
     * exist are not changed.
     */
    @JvmOverloads
    public fun cancelAll(scope: Scope, ids: List<UUID>, reason: String? = null): List<CanceledJob> =
        cancellations.cancelAll(scope, ids, reason)

    /**
     * Cancels up to [limit] jobs that match [selection] and have not ended, in no particular order, and returns them. Each
     * call searches from the start; to cancel all matching jobs, use [cancelAllWhere].
     */
    public fun cancelWhere(scope: Scope, selection: JobSelection, reason: String?, limit: Int): List<CanceledJob> =
        cancellations.cancelWhere(scope, selection, reason, limit)

    /**
     * Cancels every job that matches [selection], has not ended and was enqueued before the call. Returns the number of
     * canceled jobs. Works in short transactions and reads each job once or twice. If the call fails partway, the canceled
     * jobs stay canceled: call it again. In a joined transaction, all changes are part of that transaction.
     */
    @JvmOverloads
    public fun cancelAllWhere(scope: Scope, selection: JobSelection, reason: String? = null): Long =
        cancellations.cancelAllWhere(scope, selection, reason)

    /**
     * Requeues a canceled or dead-lettered job with a new count of attempts, if its state still matches the state in the
     * request. Any other outcome changes nothing and keeps no lock.
     *
     * Refused with `job.workflow_requeue_not_supported` for the job of a workflow step, and with
     * `job.compare_and_requeue_unsupported_isolation` in a joined transaction that is not READ COMMITTED.
     */
    public fun requeue(scope: Scope, request: RequeueRequest): RequeueOutcome = requeues.requeue(scope, listOf(request)).single()

    /**
     * Requeues a canceled or dead-lettered job with a new count of attempts, and returns it. It keeps its progress and its
     * checkpoint: the handler resumes where it stopped.
     *
     * Refused with `job.not_found`, with `job.invalid_state_transition` if the job has another status or its canceled handler
     * may still be running, and otherwise as [requeue] of a request.
     */
    @JvmOverloads
    public fun requeue(scope: Scope, id: UUID, reason: String? = null): Job =
        requeues.requeue(scope, id, KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT, reason)

    /** Requeues as [requeue], but deletes progress and checkpoint: the handler starts from the beginning. */
    @JvmOverloads
    public fun restart(scope: Scope, id: UUID, reason: String? = null): Job =
        requeues.requeue(scope, id, KeptState.RESET_PROGRESS_AND_CHECKPOINT, reason)

    /**
     * [requeue] for many jobs, each named once. The results are in the order of [requests]. If one request is
     * refused, all are refused.
     */
    public fun requeueAll(scope: Scope, requests: List<RequeueRequest>): List<RequeueOutcome> = requeues.requeue(scope, requests)

    /**
     * Requeues up to [limit] dead letters that match [selection], in no particular order, and returns them. Jobs of workflow
     * steps are skipped. Each call searches from the start; to requeue all matching dead letters, use [requeueAllDeadLetters].
     */
    public fun requeueDeadLetters(
        scope: Scope,
        selection: JobSelection,
        keep: KeptState,
        reason: String?,
        limit: Int,
    ): List<RequeueOutcome> = requeues.requeueDeadLetters(scope, selection, keep, reason, limit)

    /**
     * Requeues every dead letter that matches [selection] and was enqueued before the call. Returns the number of requeued
     * jobs. A job that becomes a dead letter again during the call is not requeued a second time. Jobs of workflow steps are
     * skipped.
     *
     * Works in short transactions and reads each dead letter once. If the call fails partway, the requeued jobs stay requeued:
     * call it again. In a joined transaction, which must be READ COMMITTED, all changes are part of that transaction.
     */
    @JvmOverloads
    public fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, keep: KeptState, reason: String? = null): Long =
        requeues.requeueAllDeadLetters(scope, selection, keep, reason)

    /** [requeueAllDeadLetters] of jobs that keep their progress and their checkpoint. */
    @JvmOverloads
    public fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, reason: String? = null): Long =
        requeueAllDeadLetters(scope, selection, KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT, reason)

    /**
     * Repeats a succeeded job as a new job with the same type, organization, payload and settings, and without idempotency
     * key, progress or checkpoint. The succeeded job is not changed. Repeating the request returns the same new job. The same
     * key with another reason is refused with `job.replay_idempotency_conflict`.
     *
     * Refused with `job.definition_not_found_or_disabled` or `job.workflow_requeue_not_supported`, and with
     * `job.compare_and_replay_unsupported_isolation` in a joined transaction that is not READ COMMITTED.
     */
    public fun replay(scope: Scope, request: ReplayRequest): ReplayOutcome = replays.replay(scope, request)

    /**
     * Lets the jobs behind a dead letter in its order go on, and returns the dead letter. Repeatable, and without
     * effect for a dead letter in no order. A requeue instead runs the dead letter before them.
     *
     * Refused with `job.not_found`, or with `job.invalid_state_transition` if the job is not a dead letter.
     */
    public fun releaseOrder(scope: Scope, id: UUID, reason: String): Job = orders.release(scope, id, reason)

    /**
     * Replaces the payload of a job that waits, was canceled or is a dead letter, and returns the job. The previous payload
     * stays in the job's history. An equal payload changes nothing. The original request of a job with an idempotency key is
     * kept: repeating that request still returns the job, with the edited payload.
     *
     * Refused with `job.not_found`, `job.invalid_state_transition` for a running or succeeded job, `request.invalid` for the
     * job of a workflow step, `job.payload_too_large` or `job.invalid_payload`.
     */
    public fun editPayload(scope: Scope, id: UUID, payload: Payload, reason: String): Job = edits.edit(scope, id, payload, reason)

    /**
     * [editPayload] with a value of the payload type that [type] declares. For a sealed payload type, such as the steps of a
     * machine, the JSON includes the name of the class, as after an enqueue.
     */
    public fun <P : Any> editPayload(scope: Scope, id: UUID, type: JobType<P>, payload: P, reason: String): Job =
        editPayload(scope, id, Payload.of(payload, type.payloadType()), reason)

    /**
     * Makes a waiting job due now and returns it. A job that is due already stays as it is. The job may belong to a workflow
     * step, but not to a paused run.
     *
     * Refused with `job.not_found`, or with `job.invalid_state_transition` unless the job is PENDING and its run is not paused.
     */
    public fun runNow(scope: Scope, id: UUID, reason: String): Job = waiting.change(scope, id, WaitingChange.RunNow, reason)

    /**
     * Changes the time from which a waiting job is due, and returns the job. A time in the past means now, as [runNow]. The same
     * time again changes nothing. The previous time stays in the job's history. Refused as [runNow].
     */
    public fun reschedule(scope: Scope, id: UUID, at: Instant, reason: String): Job =
        waiting.change(scope, id, WaitingChange.Reschedule(at), reason)

    /**
     * Changes the priority of a waiting job and returns the job; a larger number is claimed earlier. The same priority again
     * changes nothing. The previous priority stays in the job's history. Refused as [runNow].
     */
    public fun reprioritize(scope: Scope, id: UUID, priority: Int, reason: String): Job =
        waiting.change(scope, id, WaitingChange.Reprioritize(priority), reason)

    /**
     * Puts a waiting job off by a duration, and returns the job. The duration counts from the time at which the job is due, or
     * from now if it is due already: two calls put it off twice. The previous time stays in the job's history, and the action of
     * an operator is recorded as a [reschedule]. Refused as [runNow], and with `request.invalid` unless [by] is positive.
     */
    public fun snooze(scope: Scope, id: UUID, by: Duration, reason: String): Job =
        waiting.change(scope, id, WaitingChange.Snooze(by), reason)

    /**
     * [runNow], but only if the job is still as [seen]: it waits for the same attempt, at the same time and with the same
     * priority. Otherwise refused with `job.invalid_state_transition`.
     */
    public fun runNow(scope: Scope, seen: Job, reason: String): Job =
        waiting.change(scope, seen.id(), WaitingChange.RunNow, reason, seen)

    /** [reschedule], but only if the job is still as [seen], as [runNow]. */
    public fun reschedule(scope: Scope, seen: Job, at: Instant, reason: String): Job =
        waiting.change(scope, seen.id(), WaitingChange.Reschedule(at), reason, seen)

    /** [reprioritize], but only if the job is still as [seen], as [runNow]. */
    public fun reprioritize(scope: Scope, seen: Job, priority: Int, reason: String): Job =
        waiting.change(scope, seen.id(), WaitingChange.Reprioritize(priority), reason, seen)

    /** [snooze], but only if the job is still as [seen], as [runNow]. So a call that is repeated puts the job off once. */
    public fun snooze(scope: Scope, seen: Job, by: Duration, reason: String): Job =
        waiting.change(scope, seen.id(), WaitingChange.Snooze(by), reason, seen)

    /**
     * [runNow] for every waiting job that matches [selection] and was enqueued before the call. Returns the number of changed
     * jobs. Jobs of paused runs are skipped. Works in short transactions and reads each job once or twice. If the call fails
     * partway, the changed jobs stay changed: call it again. In a joined transaction, all changes are part of that transaction.
     */
    public fun runNowAllWhere(scope: Scope, selection: JobSelection, reason: String): Long =
        waiting.changeAll(scope, selection, WaitingChange.RunNow, reason)

    /** [reschedule] for every waiting job that matches [selection], as [runNowAllWhere]. */
    public fun rescheduleAllWhere(scope: Scope, selection: JobSelection, at: Instant, reason: String): Long =
        waiting.changeAll(scope, selection, WaitingChange.Reschedule(at), reason)

    /**
     * [snooze] for every waiting job that matches [selection], as [runNowAllWhere]. Each job is put off once. A job that changes
     * otherwise during the call may be left out. A call that is repeated puts the jobs off again.
     */
    public fun snoozeAllWhere(scope: Scope, selection: JobSelection, by: Duration, reason: String): Long =
        waiting.changeAll(scope, selection, WaitingChange.Snooze(by), reason)

    /** [reprioritize] for every waiting job that matches [selection], as [runNowAllWhere]. */
    public fun reprioritizeAllWhere(scope: Scope, selection: JobSelection, priority: Int, reason: String): Long =
        waiting.changeAll(scope, selection, WaitingChange.Reprioritize(priority), reason)

    /**
     * A page of the dead letters of a job, one for each run in which it gave up, oldest first. Empty if there is no such job. To
     * read the next page, pass [Page.next] as [after]. Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000 and
     * [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun deadLetters(
        scope: Scope,
        id: UUID,
        limit: Int = JobQuery.DEFAULT_LIMIT,
        after: String? = null,
    ): Page<DeadLetter> = deadLetters.history(scope, id, limit, after)

    /**
     * A page of the dead letters that wait for an operator, newest first. To read the next page, pass [Page.next] as [after].
     * A cursor stays valid after its job is deleted. Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000 and
     * [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun openDeadLetters(scope: Scope, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<DeadLetter> =
        deadLetters.open(scope, limit, after)

    /**
     * The causes of the dead letters that wait for an operator: groups with the same type, code and message, the largest first.
     * Ids, numbers and quoted texts do not count in a message.
     * [DeadLetterCause.selection][io.runledger.model.job.DeadLetterCause] selects a whole group, for [requeueAllDeadLetters].
     *
     * Reads at most the newest 20,000 open dead letters: those that gave up last, and for an organization those that were
     * enqueued last. For [Scope.global] it reads the newest of the ledger and groups the global ones.
     * [DeadLetterCauses.isComplete] says whether that was all. Refused with `job.invalid_pagination` unless [limit] is 1 to
     * 1,000.
     */
    @JvmOverloads
    public fun deadLetterCauses(scope: Scope, limit: Int = DEFAULT_CAUSES): DeadLetterCauses = causes.causes(scope, limit)

    /**
     * The jobs that an operation on [selection] would change now: their number up to 10,000, and a sample. [statuses] are those
     * that the operation changes: `DEAD_LETTERED` for [requeueAllDeadLetters], `PENDING` and `LEASED` for [cancelAllWhere], and
     * `PENDING` for a change of waiting jobs. As in the operation, a selection that names statuses of its own selects those, and
     * dead letters of workflow steps are left out.
     *
     * Finds the jobs with the statements of the operation, and passes at most 50,000 jobs of a status. If more jobs would have to
     * be read, because few of them match, [SelectionPreview.isAtLeast] is true.
     *
     * Refused with `request.invalid` if [statuses] is empty or contains other statuses, or if the selection names a status that
     * is not one of them.
     */
    public fun preview(scope: Scope, selection: JobSelection, statuses: Set<JobStatus>): SelectionPreview =
        previews.preview(scope, selection, statuses)

    private companion object {
        const val DEFAULT_CAUSES = 50
    }
}
