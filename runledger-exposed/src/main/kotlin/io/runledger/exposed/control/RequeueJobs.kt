package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.notFound
import io.runledger.exposed.context.requireDistinct
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.operator.by
import io.runledger.exposed.operator.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Job
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueOutcome.CancellationNotQuiesced
import io.runledger.model.job.RequeueOutcome.ExpectationMismatch
import io.runledger.model.job.RequeueOutcome.NotFound
import io.runledger.model.job.RequeueOutcome.Requeued
import io.runledger.model.job.RequeueRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/**
 * Starts another run of ended jobs. One statement requeues the jobs that are in the expected state. A second one reads the
 * state of the others.
 */
internal class RequeueJobs(private val context: LedgerContext) {
    private val selections = SelectJobs(context)
    private val states = ReadJobStates(context)
    private val jobs = ReadJob(context)
    private val actions = RecordActions(context)

    fun requeue(scope: Scope, requests: List<RequeueRequest>): List<RequeueOutcome> {
        if (requests.isEmpty()) return emptyList()
        requireDistinct(requests.map { it.jobId() }, "job")
        requests.forEach { Reason.of(it.reason(), REQUEUED) }
        val target = requests.singleOrNull()?.let { OperatorTarget.job(it.jobId()) } ?: OperatorTarget.jobs()
        val why = requests.map { it.reason() ?: REQUEUED }.distinct().singleOrNull()
        val draft = ActionDraft(kindOf(requests.map { it.keep() }), target, why, scope, requests.size.toLong())
        return recorded(draft) { connection, act ->
            val outcomes = requeue(connection, scope, requests, act)
            act.changed(outcomes.count { it is Requeued })
            if (act.changed == 0L) act.refused()
            outcomes
        }
    }

    /** Requeues the job from the state that it has now, or throws the reason why it cannot be requeued. */
    fun requeue(scope: Scope, id: UUID, keep: KeptState, reason: String?): Job {
        Reason.of(reason, REQUEUED)
        val draft = ActionDraft(kindOf(listOf(keep)), OperatorTarget.job(id), reason ?: REQUEUED, scope, 1)
        return recorded(draft) { connection, act ->
            val seen = states.read(connection, scope, listOf(id))[id]
            val outcome = when {
                seen == null -> NotFound(id)

                seen.hasStep -> throw ofStep(id)

                seen.status !in ended -> ExpectationMismatch(id, seen.status, seen.runNumber)

                else -> {
                    val request = RequeueRequest(id, seen.status, seen.runNumber, keep, reason)
                    requeue(connection, scope, listOf(request), act).single()
                }
            }
            if (outcome !is Requeued) throw refusal(outcome)
            val job = checkNotNull(jobs.read(connection, scope, id)) {
                "Job $id was requeued and cannot be read in the same transaction."
            }
            job.also { act.changed(1) }
        }
    }

    fun requeueDeadLetters(
        scope: Scope,
        selection: JobSelection,
        keep: KeptState,
        reason: String?,
        limit: Int,
    ): List<RequeueOutcome> {
        Reason.of(reason, REQUEUED)
        requireLimit(limit)
        val statuses = statusesOf(selection, setOf(JobStatus.DEAD_LETTERED))
        val draft = ActionDraft(kindOf(listOf(keep)), OperatorTarget.selection(), reason ?: REQUEUED, scope)
        return recorded(draft) { connection, act ->
            act.details += selection.storedForm(scope)
            val requests = selections.select(connection, WantedJobs(scope, selection, statuses), limit)
                .map { RequeueRequest(it.id, it.status, it.runNumber, keep, reason) }
            if (requests.isEmpty()) return@recorded emptyList()
            requeue(connection, scope, requests, act).filterIsInstance<Requeued>().also { act.changed(it.size) }
        }
    }

    fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, keep: KeptState, reason: String?): Long {
        Reason.of(reason, REQUEUED)
        val statuses = statusesOf(selection, setOf(JobStatus.DEAD_LETTERED))
        val draft = ActionDraft(kindOf(listOf(keep)), OperatorTarget.selection(), reason ?: REQUEUED, scope)
        return actions.inBatches(draft, selection.storedForm(scope)) { batches ->
            var requeued = 0L
            selections.forEachBatch(selections.existing(scope, selection, statuses)) { connection, batch ->
                context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
                val requests = batch.map { RequeueRequest(it.id, it.status, it.runNumber, keep, reason) }
                requeued += batches.batch(connection) { act ->
                    requeue(connection, scope, requests, act).count { it is Requeued }
                }
            }
            requeued
        }
    }

    private fun <T> recorded(draft: ActionDraft, work: (Connection, Act) -> T): T = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
        actions.record(connection, draft) { act -> work(connection, act) }
    }

    /** A restart if every job starts from the beginning. */
    private fun kindOf(keep: List<KeptState>): OperatorActionKind =
        if (keep.all { it == KeptState.RESET_PROGRESS_AND_CHECKPOINT }) {
            OperatorActionKind.JOB_RESTART
        } else {
            OperatorActionKind.JOB_REQUEUE
        }

    private fun requeue(connection: Connection, scope: Scope, requests: List<RequeueRequest>, act: Act): List<RequeueOutcome> {
        val outcomes = HashMap<UUID, RequeueOutcome>()
        var open = requests
        // If a job reaches the expected state between the two statements, it is tried again and not reported as a mismatch.
        repeat(TRIES) {
            write(connection, scope, open, act).forEach { outcomes[it.jobId()] = it }
            open = open.filter { it.jobId() !in outcomes }
            if (open.isNotEmpty()) {
                val found = states.read(connection, scope, open.map { it.jobId() })
                open.forEach { request -> explain(request, found[request.jobId()])?.let { outcomes[request.jobId()] = it } }
                open = open.filter { it.jobId() !in outcomes }
            }
            if (open.isEmpty()) return requests.map { outcomes.getValue(it.jobId()) }
        }
        throw ErrorCode.DB_CONTENTION.exception("Job ${open.first().jobId()} changed repeatedly during the requeue: try again.")
    }

    private fun write(connection: Connection, scope: Scope, requests: List<RequeueRequest>, act: Act): List<Requeued> =
        connection.rows(
            context.statements.scoped("control/requeue", scope),
            {
                uuids("job_ids", requests.map { it.jobId() })
                wires("expected_statuses", requests.map { it.expectedStatus() })
                ints("expected_runs", requests.map { it.expectedRun() })
                wires("kept_states", requests.map { it.keep() })
                texts("reasons", requests.map { it.reason() ?: REQUEUED })
                scope(scope)
                by(act)
            },
        ) { Requeued(uuid("id"), getInt("run_number"), instant("next_run_at")) }

    /** The reason why [request] had no effect; null if that reason no longer exists. */
    private fun explain(request: RequeueRequest, found: JobState?): RequeueOutcome? = when {
        found == null -> NotFound(request.jobId())

        found.hasStep -> throw ofStep(found.id)

        found.status != request.expectedStatus() || found.runNumber != request.expectedRun() ->
            ExpectationMismatch(found.id, found.status, found.runNumber)

        found.quietAt != null -> CancellationNotQuiesced(found.id, found.quietAt, Duration.between(found.at, found.quietAt))

        else -> null
    }

    private fun ofStep(id: UUID) = ErrorCode.WORKFLOW_JOB_REQUEUE.exception(
        "Job $id belongs to a workflow step and cannot be requeued on its own: recover its run instead.",
    )

    private fun refusal(outcome: RequeueOutcome): RunledgerException = when (outcome) {
        is CancellationNotQuiesced -> ErrorCode.JOB_STATE.exception(
            "Job ${outcome.jobId()} was canceled and its handler may still be running: requeue it after ${outcome.quietAt()}.",
        )

        is ExpectationMismatch -> ErrorCode.JOB_STATE.exception(
            "Job ${outcome.jobId()} is ${outcome.actualStatus()}: only a CANCELED or DEAD_LETTERED job can be requeued.",
        )

        else -> notFound(outcome.jobId())
    }

    private companion object {
        val ended = setOf(JobStatus.CANCELED, JobStatus.DEAD_LETTERED)
        const val REQUEUED = "REQUEUED"
        const val TRIES = 10
    }
}
