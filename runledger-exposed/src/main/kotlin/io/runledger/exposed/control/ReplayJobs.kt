package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.read.jobReplay
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.ReplayRequest
import io.runledger.model.state.Disposition
import io.runledger.model.state.JobReplay
import io.runledger.model.state.JobStatus
import io.runledger.model.state.ReplayOutcome
import java.sql.Connection

/** Makes new jobs out of succeeded ones. */
internal class ReplayJobs(private val context: LedgerContext) {
    private val standings = ReadStanding(context)

    fun replay(request: ReplayRequest): ReplayOutcome = context.transactions.run { connection ->
        context.transactions.requireReadCommitted(connection, ErrorCode.REPLAY_ISOLATION)
        repeat(TRIES) {
            if (lockSource(connection, request)) return@run replayed(connection, request)
            explain(connection, request)?.let { return@run it }
        }
        throw ErrorCode.DB_CONTENTION.exception("Job ${request.sourceJobId()} kept changing while it was replayed: try again.")
    }

    private fun lockSource(connection: Connection, request: ReplayRequest): Boolean = connection.row(
        context.statements.scoped("replay_source", request.scope()),
        {
            uuid(request.sourceJobId())
            int(request.expectedRun())
            scope(request.scope())
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
        context.statements["replay_existing"],
        {
            uuid(request.sourceJobId())
            int(request.expectedRun())
            text(request.requestKey())
        },
    ) { jobReplay() }

    private fun insert(connection: Connection, request: ReplayRequest): JobReplay = connection.row(
        context.statements["replay"],
        {
            uuid(request.sourceJobId())
            uuid(UuidV7.next())
            text(request.requestKey())
            text(request.reason())
        },
    ) { jobReplay() } ?: throw ErrorCode.DEFINITION_UNAVAILABLE.exception(
        "The type of job ${request.sourceJobId()} is disabled: enable it again before replaying its jobs.",
    )

    /** Why nothing was replayed; null when nothing stands in the way any more. */
    private fun explain(connection: Connection, request: ReplayRequest): ReplayOutcome? {
        val id = request.sourceJobId()
        val found = standings.read(connection, request.scope(), listOf(id))[id] ?: return ReplayOutcome.NotFound(id)
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
