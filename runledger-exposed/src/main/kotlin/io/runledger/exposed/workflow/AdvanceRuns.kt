package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/**
 * Advances runs after steps have ended. The caller holds the locks on the runs, so no other session decides about their blocked
 * steps. The number of statements does not depend on the number of steps. Each further level of steps that are canceled or
 * skipped as a consequence needs one more statement.
 */
internal class AdvanceRuns(private val context: LedgerContext) {
    /** Copies the outcomes of [jobs] to their steps, and advances the steps that depend on them. */
    fun followJobs(connection: Connection, jobs: Collection<UUID>) {
        val touched = connection.rows(context.statements["workflow/step_follow"], { uuids("job_ids", jobs.toList()) }) {
            Ended(uuid("workflow_run_id"), uuid("id"), wire("status"))
        }
        val ended = touched.filter { it.status.isTerminal }
        if (ended.isEmpty()) return
        val counters = RunCounters()
        ended.forEach { counters.add(it.runId, open = -1, active = -1, errors = if (it.isError) 1 else 0) }
        advance(connection, ended.map { it.stepId }, counters)
    }

    /**
     * Fires the dependencies of the [ended] steps, which [counters] already includes, decides about the [ready] steps, which wait
     * for nothing, and writes the counters and statuses of the runs.
     */
    fun advance(connection: Connection, ended: List<UUID>, counters: RunCounters, ready: List<UUID> = emptyList()) {
        var wave = if (ended.isEmpty() && ready.isEmpty()) emptyList() else fire(connection, ended, ready, counters)
        while (wave.isNotEmpty()) wave = fire(connection, wave, emptyList(), counters)
        if (!counters.isEmpty) connection.rows(context.statements["workflow/run_counters"], counters::bind) { uuid("id") }
    }

    /** Returns the steps that ended as canceled or skipped. */
    private fun fire(connection: Connection, ended: List<UUID>, ready: List<UUID>, counters: RunCounters): List<UUID> =
        connection.rows(
            context.statements["workflow/step_fire"],
            {
                uuids("ended_ids", ended)
                uuids("ready_ids", ready)
                text("error_code", ErrorCode.DEPENDENCY_UNSATISFIED.wire())
                text("error_message", ErrorCode.DEPENDENCY_UNSATISFIED.message())
            },
        ) {
            @Suppress("UNCHECKED_CAST")
            val over = (getArray("ended")?.array as Array<UUID>?).orEmpty().toList()
            counters.add(uuid("workflow_run_id"), -over.size, getInt("enqueued"), getInt("opened"))
            over
        }.flatten()

    private class Ended(val runId: UUID, val stepId: UUID, val status: WorkflowStepStatus) {
        val isError: Boolean get() = status != WorkflowStepStatus.SUCCEEDED
    }
}
