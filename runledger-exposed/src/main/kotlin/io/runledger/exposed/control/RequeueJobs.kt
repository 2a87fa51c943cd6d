package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.notFound
import io.runledger.exposed.context.requireDistinct
import io.runledger.exposed.context.requireLimit
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

    fun requeue(scope: Scope, requests: List<RequeueRequest>): List<RequeueOutcome> {
        if (requests.isEmpty()) return emptyList()
        requireDistinct(requests.map { it.jobId() }, "job")
        requests.forEach { Reason.of(it.reason(), REQUEUED) }
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            requeue(connection, scope, requests)
        }
    }

    /** Requeues the job from the state that it has now, or throws the reason why it cannot be requeued. */
    fun requeue(scope: Scope, id: UUID, keep: KeptState, reason: String?): Job {
        Reason.of(reason, REQUEUED)
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            val seen = states.read(connection, scope, listOf(id))[id]
            val outcome = when {
                seen == null -> NotFound(id)
                seen.hasStep -> throw ofStep(id)
                seen.status !in ended -> ExpectationMismatch(id, seen.status, seen.runNumber)
                else -> requeue(connection, scope, listOf(RequeueRequest(id, seen.status, seen.runNumber, keep, reason))).single()
            }
            if (outcome !is Requeued) throw refusal(outcome)
            checkNotNull(jobs.read(connection, scope, id)) { "Job $id was requeued and cannot be read in the same transaction." }
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
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            val requests = selections.select(connection, WantedJobs(scope, selection, statuses), limit)
                .map { RequeueRequest(it.id, it.status, it.runNumber, keep, reason) }
            if (requests.isEmpty()) emptyList() else requeue(connection, scope, requests).filterIsInstance<Requeued>()
        }
    }

    fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, keep: KeptState, reason: String?): Long {
        Reason.of(reason, REQUEUED)
        val statuses = statusesOf(selection, setOf(JobStatus.DEAD_LETTERED))
        var requeued = 0L
        selections.forEachBatch(selections.existing(scope, selection, statuses)) { connection, batch ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            val requests = batch.map { RequeueRequest(it.id, it.status, it.runNumber, keep, reason) }
            requeued += requeue(connection, scope, requests).count { it is Requeued }
        }
        return requeued
    }

    private fun requeue(connection: Connection, scope: Scope, requests: List<RequeueRequest>): List<RequeueOutcome> {
        val outcomes = HashMap<UUID, RequeueOutcome>()
        var open = requests
        // If a job reaches the expected state between the two statements, it is tried again and not reported as a mismatch.
        repeat(TRIES) {
            write(connection, scope, open).forEach { outcomes[it.jobId()] = it }
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

    private fun write(connection: Connection, scope: Scope, requests: List<RequeueRequest>): List<Requeued> = connection.rows(
        context.statements.scoped("control/requeue", scope),
        {
            uuids("job_ids", requests.map { it.jobId() })
            wires("expected_statuses", requests.map { it.expectedStatus() })
            ints("expected_runs", requests.map { it.expectedRun() })
            wires("kept_states", requests.map { it.keep() })
            texts("reasons", requests.map { it.reason() ?: REQUEUED })
            scope(scope)
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
