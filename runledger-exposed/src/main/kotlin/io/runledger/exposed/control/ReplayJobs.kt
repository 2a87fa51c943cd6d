package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.read.jobReplay
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobReplay
import io.runledger.model.job.JobStatus
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.value.UuidV7
import java.sql.Connection

/** Inserts new jobs that repeat succeeded ones. */
internal class ReplayJobs(private val context: LedgerContext) {
    private val states = ReadJobStates(context)
    private val actions = RecordActions(context)

    fun replay(scope: Scope, request: ReplayRequest): ReplayOutcome = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.REPLAY_ISOLATION)
        val target = OperatorTarget.job(request.sourceJobId())
        actions.record(connection, ActionDraft(OperatorActionKind.JOB_REPLAY, target, request.reason(), scope, 1)) { act ->
            replay(connection, scope, request).also { record(act, it) }
        }
    }

    private fun replay(connection: Connection, scope: Scope, request: ReplayRequest): ReplayOutcome {
        repeat(TRIES) {
            if (lockSource(connection, scope, request)) return replayed(connection, request)
            explain(connection, scope, request)?.let { return it }
        }
        throw ErrorCode.DB_CONTENTION.exception("Job ${request.sourceJobId()} changed repeatedly during the replay: try again.")
    }

    private fun record(act: Act, outcome: ReplayOutcome) {
        if (outcome !is ReplayOutcome.Replayed) return act.refused()
        if (outcome.disposition() == Disposition.INSERTED) act.changed(1)
        act.details["replay_job_id"] = outcome.replay().replayJobId().toString()
    }

    private fun lockSource(connection: Connection, scope: Scope, request: ReplayRequest): Boolean = connection.row(
        context.statements.scoped("control/replay_source", scope),
        {
            uuid("job_id", request.sourceJobId())
            int("expected_run", request.expectedRun())
            scope(scope)
        },
    ) { uuid("id") } != null

    private fun replayed(connection: Connection, request: ReplayRequest): ReplayOutcome {
        val existing = existing(connection, request)
            ?: return ReplayOutcome.Replayed(insert(connection, request), Disposition.INSERTED)
        if (existing.reason() != request.reason()) {
            throw ErrorCode.REPLAY_CONFLICT.exception(
                "${ErrorCode.REPLAY_CONFLICT.message()} Repeat it with the same reason, or use another key.",
            )
        }
        return ReplayOutcome.Replayed(existing, Disposition.EXISTING)
    }

    private fun existing(connection: Connection, request: ReplayRequest): JobReplay? = connection.row(
        context.statements["control/replay_existing"],
        {
            uuid("source_id", request.sourceJobId())
            int("source_run", request.expectedRun())
            text("request_key", request.requestKey())
        },
    ) { jobReplay() }

    private fun insert(connection: Connection, request: ReplayRequest): JobReplay = connection.row(
        context.statements["control/replay"],
        {
            uuid("source_id", request.sourceJobId())
            uuid("replay_id", UuidV7.next())
            text("request_key", request.requestKey())
            text("reason", request.reason())
        },
    ) { jobReplay() } ?: throw ErrorCode.DEFINITION_UNAVAILABLE.exception(
        "The type of job ${request.sourceJobId()} is disabled: enable it again before replaying its jobs.",
    )

    /** The reason why the job was not replayed; null if that reason no longer exists. */
    private fun explain(connection: Connection, scope: Scope, request: ReplayRequest): ReplayOutcome? {
        val id = request.sourceJobId()
        val found = states.read(connection, scope, listOf(id))[id] ?: return ReplayOutcome.NotFound(id)
        if (found.hasStep) {
            throw ErrorCode.WORKFLOW_JOB_REQUEUE.exception(
                "Job $id belongs to a workflow step and cannot be replayed on its own: recover its run instead.",
            )
        }
        val isExpected = found.status == JobStatus.SUCCEEDED && found.runNumber == request.expectedRun()
        return if (isExpected) null else ReplayOutcome.ExpectationMismatch(id, found.status, found.runNumber)
    }

    private companion object {
        const val TRIES = 10
    }
}
