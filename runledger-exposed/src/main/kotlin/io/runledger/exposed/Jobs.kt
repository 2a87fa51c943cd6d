package io.runledger.exposed

import io.runledger.exposed.control.CancelJobs
import io.runledger.exposed.control.EditJob
import io.runledger.exposed.control.ReadDeadLetters
import io.runledger.exposed.control.ReplayJobs
import io.runledger.exposed.control.RequeueJobs
import io.runledger.exposed.intake.EnqueueJobs
import io.runledger.exposed.read.JobReads
import io.runledger.model.json.Payload
import io.runledger.model.spec.JobRequest
import io.runledger.model.spec.JobSelection
import io.runledger.model.spec.JobType
import io.runledger.model.spec.KeptState
import io.runledger.model.spec.ReplayRequest
import io.runledger.model.spec.RequeueRequest
import io.runledger.model.state.CanceledJob
import io.runledger.model.state.DeadLetter
import io.runledger.model.state.EnqueuedJob
import io.runledger.model.state.Job
import io.runledger.model.state.Page
import io.runledger.model.state.ReplayOutcome
import io.runledger.model.state.RequeueOutcome
import io.runledger.model.state.Scope
import java.util.UUID

/** Enqueues jobs, looks at them and changes what becomes of them. */
public class Jobs internal constructor(context: LedgerContext) : JobReads(context) {
    private val intake = EnqueueJobs(context)
    private val cancellations = CancelJobs(context)
    private val requeues = RequeueJobs(context)
    private val replays = ReplayJobs(context)
    private val edits = EditJob(context)
    private val deadLetters = ReadDeadLetters(context)

    /**
     * Enqueues a job. With an idempotency key the call can be repeated: the same request gives the existing job, whatever its
     * status and even if its type was disabled since; another request under the key is refused with
     * `job.idempotency_conflict`.
     *
     * Refused with `job.definition_not_found_or_disabled`, `job.payload_too_large`, `job.invalid_payload`, or for a key in a
     * joined transaction that is not READ COMMITTED with `job.enqueue_idempotency_unsupported_isolation`.
     */
    public fun enqueue(request: JobRequest): EnqueuedJob = intake.enqueue(listOf(request)).single()

    /** Enqueues a job with everything but type and payload left to the type's definition. */
    public fun <P : Any> enqueue(type: JobType<P>, payload: P): EnqueuedJob = enqueue(JobRequest.of(type, payload))

    /**
     * Enqueues many jobs at once: all of them, or none when one is refused. Answers in the order of [requests]. The number of
     * statements does not depend on how many there are.
     */
    public fun enqueueAll(requests: List<JobRequest>): List<EnqueuedJob> = intake.enqueue(requests)

    /**
     * Cancels a job that has not ended and answers with it. A running handler is not waited for: it finds out at its next
     * renewal, and nothing it writes counts any more. [Job.quietAt] says by when it must have noticed.
     *
     * Refused with `job.not_found`, or with `job.invalid_state_transition` when the job has ended, a repeated cancel too.
     */
    @JvmOverloads
    public fun cancel(scope: Scope, id: UUID, reason: String? = null): Job = cancellations.cancel(scope, id, reason)

    /**
     * Cancels many jobs in one statement. Answers for each of [ids], in their order; what has ended or is not there stays as
     * it is.
     */
    @JvmOverloads
    public fun cancelAll(scope: Scope, ids: List<UUID>, reason: String? = null): List<CanceledJob> =
        cancellations.cancelAll(scope, ids, reason)

    /**
     * Cancels up to [limit] jobs that match [selection] and have not ended, in no particular order, and answers with those it
     * canceled. For all of them use [cancelAllWhere]: each call of this one looks from the beginning.
     */
    public fun cancelWhere(scope: Scope, selection: JobSelection, reason: String?, limit: Int): List<CanceledJob> =
        cancellations.cancelWhere(scope, selection, reason, limit)

    /**
     * Cancels every job that matches [selection], has not ended and was enqueued before the call, and answers with their number.
     * Works in short transactions, and reads each job it looks at once or twice, however many there are. If it fails in between,
     * the jobs that were canceled stay canceled: call it again. In a joined transaction all of it is part of that transaction.
     */
    @JvmOverloads
    public fun cancelAllWhere(scope: Scope, selection: JobSelection, reason: String? = null): Long =
        cancellations.cancelAllWhere(scope, selection, reason)

    /**
     * Gives a canceled or dead-lettered job another run, if it still stands where the caller saw it; attempts count anew.
     * Every other answer changed nothing and locked nothing.
     *
     * Refused with `job.workflow_requeue_not_supported` for a workflow step's job, and in a joined transaction that is not
     * READ COMMITTED with `job.compare_and_requeue_unsupported_isolation`.
     */
    public fun requeue(request: RequeueRequest): RequeueOutcome = requeues.requeue(listOf(request)).single()

    /**
     * [requeue] for many jobs of one scope, each named once. Answers in the order of [requests]; a refusal of one refuses
     * all.
     */
    public fun requeueAll(requests: List<RequeueRequest>): List<RequeueOutcome> = requeues.requeue(requests)

    /**
     * Requeues up to [limit] dead letters that match [selection], in no particular order, and answers with those it requeued.
     * Workflow steps' jobs are left alone. For all of them use [requeueAllDeadLetters]: each call of this one looks from the
     * beginning.
     */
    public fun requeueDeadLetters(
        scope: Scope,
        selection: JobSelection,
        keep: KeptState,
        reason: String?,
        limit: Int,
    ): List<RequeueOutcome> = requeues.requeueDeadLetters(scope, selection, keep, reason, limit)

    /**
     * Requeues every dead letter that matches [selection] and was enqueued before the call, and answers with their number. A job
     * that gives up again meanwhile is not requeued a second time. Workflow steps' jobs are left alone.
     *
     * Works in short transactions, and reads each letter it looks at once, however many there are. If it fails in between, the
     * jobs that were requeued stay requeued: call it again. In a joined transaction all of it is part of that transaction, which
     * must be READ COMMITTED.
     */
    @JvmOverloads
    public fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, keep: KeptState, reason: String? = null): Long =
        requeues.requeueAllDeadLetters(scope, selection, keep, reason)

    /**
     * Does a succeeded job again, as a new job with the same type, organization, payload and settings, and without
     * idempotency key, progress or checkpoint. The succeeded job stays as it is. Repeating the request gives the same new
     * job; the same key with another reason is refused with `job.replay_idempotency_conflict`.
     *
     * Refused with `job.definition_not_found_or_disabled`, `job.workflow_requeue_not_supported`, or in a joined transaction
     * that is not READ COMMITTED with `job.compare_and_replay_unsupported_isolation`.
     */
    public fun replay(request: ReplayRequest): ReplayOutcome = replays.replay(request)

    /**
     * Replaces the payload of a job that waits, or that ended as canceled or dead letter, and answers with it. The payload
     * before stays in the job's story; editing to an equal payload changes nothing. What a keyed job was asked with stays
     * too: repeating that request still finds the job, with the edited payload.
     *
     * Refused with `job.not_found`, `job.invalid_state_transition` for a running or succeeded job, `request.invalid` for a
     * workflow step's job, `job.payload_too_large` or `job.invalid_payload`.
     */
    public fun editPayload(scope: Scope, id: UUID, payload: Payload, reason: String): Job = edits.edit(scope, id, payload, reason)

    /**
     * [editPayload] with a value of the payload that [type] declares. Of a sealed payload, such as the steps of a machine, the
     * JSON then tells which class it is, as after an enqueue.
     */
    public fun <P : Any> editPayload(scope: Scope, id: UUID, type: JobType<P>, payload: P, reason: String): Job =
        editPayload(scope, id, Payload.of(payload, type.payloadType()), reason)

    /** Every time the job gave up, the first one first; empty also when there is no such job in [scope]. */
    public fun deadLetters(scope: Scope, id: UUID): List<DeadLetter> = deadLetters.history(scope, id)

    /**
     * A page of the jobs that gave up and wait for an operator, the latest first. Pass [Page.next] as [after] to go on; a
     * cursor outlives the job it was made from. Refused with `job.invalid_pagination` for a foreign cursor.
     */
    @JvmOverloads
    public fun openDeadLetters(scope: Scope, limit: Int, after: String? = null): Page<DeadLetter> =
        deadLetters.open(scope, limit, after)
}
