package io.runledger.exposed.workflow.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.page
import io.runledger.exposed.context.uuid
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.workflow.runNotFound
import io.runledger.exposed.workflow.stepDependency
import io.runledger.exposed.workflow.workflowRun
import io.runledger.exposed.workflow.workflowStep
import io.runledger.model.history.RunEvent
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.run.StepDependency
import io.runledger.model.run.WorkflowStep
import java.sql.Connection
import java.util.UUID

/** Reads the steps and dependencies of a run: page by page, or all of them on one snapshot. */
internal class ReadGraph(private val context: LedgerContext) {
    private val statements get() = context.statements

    fun steps(scope: Scope, runId: UUID, limit: Int, after: String?): Page<WorkflowStep> {
        JobQuery.requireLimit(limit)
        val last = after?.let(StepCursor::read) ?: StepCursor.START
        return context.transactions.statement { it.steps(scope, runId, limit + 1, last) }
            .page(limit) { StepCursor(it.ordinal(), it.id()).text() }
    }

    fun allSteps(scope: Scope, runId: UUID): List<WorkflowStep> =
        context.transactions.statement { it.steps(scope, runId, null, StepCursor.START) }

    fun dependencies(scope: Scope, runId: UUID, limit: Int, after: String?): Page<StepDependency> {
        JobQuery.requireLimit(limit)
        val last = after?.let(EdgeCursor::read) ?: EdgeCursor.START
        return context.transactions.statement { it.dependencies(scope, runId, limit + 1, last) }
            .page(limit) { EdgeCursor(it.prerequisiteStepId(), it.dependentStepId()).text() }
    }

    fun story(scope: Scope, runId: UUID): WorkflowStory = context.transactions.snapshot { connection ->
        val run = connection.row(
            statements.scoped("workflow/run_by_id", scope),
            {
                uuid("run_id", runId)
                scope(scope)
            },
        ) { workflowRun() } ?: throw runNotFound(runId)
        val events = connection.rows(
            statements["workflow/run_last_events"],
            {
                uuid("run_id", runId)
                int("limit", WorkflowStory.MAX_EVENTS)
            },
        ) { stepEvent() }
        WorkflowStory(
            run,
            connection.steps(scope, runId, null, StepCursor.START),
            connection.dependencies(scope, runId, null, EdgeCursor.START),
            events,
            connection.runEvents(scope, runId),
        )
    }

    private fun Connection.runEvents(scope: Scope, runId: UUID): List<RunEvent> = rows(
        statements.scoped("workflow/run_journal", scope),
        {
            uuid("run_id", runId)
            scope(scope)
            int("limit", JobQuery.MAX_LIMIT)
        },
    ) { runEvent() }

    private fun Connection.steps(scope: Scope, runId: UUID, limit: Int?, after: StepCursor): List<WorkflowStep> = rows(
        statements.scoped("workflow/run_steps", scope),
        {
            uuid("run_id", runId)
            scope(scope)
            int("after_ordinal", after.ordinal)
            uuid("after_id", after.id)
            int("limit", limit)
        },
    ) { workflowStep() }

    private fun Connection.dependencies(scope: Scope, runId: UUID, limit: Int?, after: EdgeCursor): List<StepDependency> = rows(
        statements.scoped("workflow/run_dependencies", scope),
        {
            uuid("run_id", runId)
            scope(scope)
            uuid("after_prerequisite", after.prerequisite)
            uuid("after_dependent", after.dependent)
            int("limit", limit)
        },
    ) { stepDependency() }

    private class StepCursor(val ordinal: Int, val id: UUID) {
        fun text(): String = Cursor.write(ordinal.toLong(), id.mostSignificantBits, id.leastSignificantBits)

        companion object {
            val START = StepCursor(Int.MIN_VALUE, LEAST)

            fun read(text: String): StepCursor = Cursor.values(text, 3).let { words ->
                val ordinal = words.get()
                if (ordinal !in Int.MIN_VALUE..Int.MAX_VALUE) throw Cursor.unknown()
                StepCursor(ordinal.toInt(), words.uuid())
            }
        }
    }

    private class EdgeCursor(val prerequisite: UUID, val dependent: UUID) {
        fun text(): String = Cursor.write(
            prerequisite.mostSignificantBits,
            prerequisite.leastSignificantBits,
            dependent.mostSignificantBits,
            dependent.leastSignificantBits,
        )

        companion object {
            val START = EdgeCursor(LEAST, LEAST)

            fun read(text: String): EdgeCursor = Cursor.values(text, 4).let { EdgeCursor(it.uuid(), it.uuid()) }
        }
    }

    private companion object {
        val LEAST = UUID(0, 0)
    }
}
