package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/**
 * Moves runs on when steps have ended. The caller holds the runs' locks, so nobody else decides about their blocked steps.
 * A fixed number of statements whatever the number of steps, and one more for each wave of steps that are canceled or skipped
 * one after the other.
 */
internal class AdvanceRuns(private val context: LedgerContext) {
    /** The steps of [jobs] follow what became of their jobs, and what waited for them goes on. */
    fun followJobs(connection: Connection, jobs: Collection<UUID>) {
        val touched = connection.rows(context.statements["step_follow"], { uuids(jobs.toList()) }) {
            Ended(uuid("workflow_run_id"), uuid("id"), wire("status"))
        }
        val ended = touched.filter { it.status.isTerminal }
        if (ended.isEmpty()) return
        val tally = Tally()
        ended.forEach { tally.add(it.runId, open = -1, active = -1, errors = if (it.isError) 1 else 0) }
        advance(connection, ended.map { it.stepId }, tally)
    }

    /**
     * Fires what waited for [ended], which [tally] has counted already, decides about [ready] steps, which wait for nothing,
     * and writes the runs' counts and statuses.
     */
    fun advance(connection: Connection, ended: List<UUID>, tally: Tally, ready: List<UUID> = emptyList()) {
        var wave = if (ended.isEmpty() && ready.isEmpty()) emptyList() else fire(connection, ended, ready, tally)
        while (wave.isNotEmpty()) wave = fire(connection, wave, emptyList(), tally)
        if (!tally.isEmpty) connection.rows(context.statements["run_tally"], tally::bind) { uuid("id") }
    }

    /** Answers with the steps that were canceled or skipped by it. */
    private fun fire(connection: Connection, ended: List<UUID>, ready: List<UUID>, tally: Tally): List<UUID> = connection.rows(
        context.statements["step_fire"],
        {
            uuids(ended)
            uuids(ready)
            text(ErrorCode.DEPENDENCY_UNSATISFIED.wire())
            text(ErrorCode.DEPENDENCY_UNSATISFIED.message())
        },
    ) {
        @Suppress("UNCHECKED_CAST")
        val over = (getArray("ended")?.array as Array<UUID>?).orEmpty().toList()
        tally.add(uuid("workflow_run_id"), -over.size, getInt("enqueued"), getInt("opened"))
        over
    }.flatten()

    private class Ended(val runId: UUID, val stepId: UUID, val status: WorkflowStepStatus) {
        val isError: Boolean get() = status != WorkflowStepStatus.SUCCEEDED
    }
}
