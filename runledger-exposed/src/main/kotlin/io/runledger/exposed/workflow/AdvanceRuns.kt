package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

/**
 * Advances runs after steps have ended. The caller holds the locks on the runs, so no other session decides about their blocked
 * steps. One statement advances all runs, whatever the number of steps. Each further level of steps that are canceled or skipped
 * as a consequence needs one more.
 */
internal class AdvanceRuns(private val context: LedgerContext) {
    /** Advances the runs of steps whose jobs have ended. The job says how its step ended, so the step itself is not written. */
    fun afterJobs(connection: Connection, ended: Map<LockedStep, WorkflowStepStatus>) {
        if (ended.isEmpty()) return
        val counters = RunCounters()
        ended.forEach { (step, status) ->
            counters.add(step.runId, open = -1, active = -1, errors = if (status == WorkflowStepStatus.SUCCEEDED) 0 else 1)
        }
        advance(connection, ended.map { (step, status) -> EndedStep(step.runId, step.stepId, status) }, counters)
    }

    /**
     * Fires the dependencies of the [ended] steps, which [counters] already includes, decides about the [ready] steps, which wait
     * for nothing, and writes the counters and statuses of the runs. [headers] go to the jobs that this releases.
     */
    fun advance(
        connection: Connection,
        ended: List<EndedStep>,
        counters: RunCounters,
        ready: List<UUID> = emptyList(),
        headers: Json? = null,
    ) {
        if (ended.isEmpty() && ready.isEmpty() && counters.isEmpty) return
        var wave = write(connection, ended, counters, ready, headers)
        while (wave.isNotEmpty()) wave = write(connection, wave, RunCounters(), emptyList(), headers)
    }

    /** Returns the steps that ended as canceled or skipped. */
    private fun write(
        connection: Connection,
        ended: List<EndedStep>,
        counters: RunCounters,
        ready: List<UUID>,
        headers: Json?,
    ): List<EndedStep> = connection.rows(
        context.statements["workflow/run_advance"],
        {
            uuids("ended_runs", ended.map { it.runId })
            uuids("ended_ids", ended.map { it.stepId })
            wires("ended_statuses", ended.map { it.status })
            uuids("ready_ids", ready)
            counters.bind(this)
            json("headers", headers)
            text("error_code", ErrorCode.DEPENDENCY_UNSATISFIED.wire())
            text("error_message", ErrorCode.DEPENDENCY_UNSATISFIED.message())
        },
    ) { uuidOrNull("id")?.let { EndedStep(uuid("workflow_run_id"), it, wire("status")) } }.filterNotNull()
}

/** A step that has ended, and how. */
internal class EndedStep(val runId: UUID, val stepId: UUID, val status: WorkflowStepStatus)
