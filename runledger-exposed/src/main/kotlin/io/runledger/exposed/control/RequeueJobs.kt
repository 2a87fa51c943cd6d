package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.JobSelection
import io.runledger.model.spec.KeptState
import io.runledger.model.spec.RequeueRequest
import io.runledger.model.state.JobStatus
import io.runledger.model.state.RequeueOutcome
import io.runledger.model.state.RequeueOutcome.CancellationNotQuiesced
import io.runledger.model.state.RequeueOutcome.ExpectationMismatch
import io.runledger.model.state.RequeueOutcome.NotFound
import io.runledger.model.state.RequeueOutcome.Requeued
import io.runledger.model.state.Scope
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/**
 * Gives ended jobs another run: one statement when all stand where they were seen, a second one that says why others do not.
 */
internal class RequeueJobs(private val context: LedgerContext) {
    private val selections = SelectJobs(context)
    private val standings = ReadStanding(context)

    fun requeue(requests: List<RequeueRequest>): List<RequeueOutcome> {
        if (requests.isEmpty()) return emptyList()
        requireDistinct(requests.map { it.jobId() }, "job")
        val scope = requests.map { it.scope() }.distinct().singleOrNull()
            ?: throw ErrorCode.INVALID_ARGUMENT.exception(
                "The requests name several scopes: requeue each scope's jobs in a call of its own.",
            )
        requests.forEach { Reason.of(it.reason(), REQUEUED) }
        return context.transactions.run { connection ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            requeue(connection, scope, requests)
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
                .map { RequeueRequest(scope, it.id, it.status, it.runNumber, keep, reason) }
            if (requests.isEmpty()) emptyList() else requeue(connection, scope, requests).filterIsInstance<Requeued>()
        }
    }

    fun requeueAllDeadLetters(scope: Scope, selection: JobSelection, keep: KeptState, reason: String?): Long {
        Reason.of(reason, REQUEUED)
        val statuses = statusesOf(selection, setOf(JobStatus.DEAD_LETTERED))
        var requeued = 0L
        selections.forEachBatch(selections.existing(scope, selection, statuses)) { connection, batch ->
            context.transactions.requireReadCommitted(connection, ErrorCode.REQUEUE_ISOLATION)
            val requests = batch.map { RequeueRequest(scope, it.id, it.status, it.runNumber, keep, reason) }
            requeued += requeue(connection, scope, requests).count { it is Requeued }
        }
        return requeued
    }

    private fun requeue(connection: Connection, scope: Scope, requests: List<RequeueRequest>): List<RequeueOutcome> {
        val outcomes = HashMap<UUID, RequeueOutcome>()
        var open = requests
        // A job that comes to stand as expected between the two statements is tried again, not reported as a contradiction.
        repeat(TRIES) {
            write(connection, scope, open).forEach { outcomes[it.jobId()] = it }
            open = open.filter { it.jobId() !in outcomes }
            if (open.isNotEmpty()) {
                val found = standings.read(connection, scope, open.map { it.jobId() })
                open.forEach { request -> explain(request, found[request.jobId()])?.let { outcomes[request.jobId()] = it } }
                open = open.filter { it.jobId() !in outcomes }
            }
            if (open.isEmpty()) return requests.map { outcomes.getValue(it.jobId()) }
        }
        throw ErrorCode.DB_CONTENTION.exception("Job ${open.first().jobId()} kept changing while it was requeued: try again.")
    }

    private fun write(connection: Connection, scope: Scope, requests: List<RequeueRequest>): List<Requeued> = connection.rows(
        context.statements.scoped("requeue", scope),
        {
            uuids(requests.map { it.jobId() })
            wires(requests.map { it.expectedStatus() })
            ints(requests.map { it.expectedRun() })
            wires(requests.map { it.keep() })
            texts(requests.map { it.reason() ?: REQUEUED })
            scope(scope)
        },
    ) { Requeued(uuid("id"), getInt("run_number"), instant("next_run_at")) }

    /** Why [request] did nothing; null when nothing stands in its way any more. */
    private fun explain(request: RequeueRequest, found: Standing?): RequeueOutcome? = when {
        found == null -> NotFound(request.jobId())

        found.hasStep -> throw ErrorCode.WORKFLOW_JOB_REQUEUE.exception(
            "Job ${found.id} belongs to a workflow step and cannot be requeued on its own: recover its run instead.",
        )

        found.status != request.expectedStatus() || found.runNumber != request.expectedRun() ->
            ExpectationMismatch(found.id, found.status, found.runNumber)

        found.quietAt != null -> CancellationNotQuiesced(found.id, found.quietAt, Duration.between(found.at, found.quietAt))

        else -> null
    }

    private companion object {
        const val REQUEUED = "REQUEUED"
        const val TRIES = 10
    }
}
