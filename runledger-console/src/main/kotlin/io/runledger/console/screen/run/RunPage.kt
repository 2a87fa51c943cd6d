package io.runledger.console.screen.run

import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Page
import io.runledger.model.run.WorkflowSummary
import io.runledger.model.workflow.WorkflowRun
import java.util.UUID

/** A page of runs, with the number of steps of each. */
internal class RunPage(val runs: Page<WorkflowSummary>, val steps: Map<UUID, Long>) {
    companion object {
        fun read(visit: Visit, filters: RunFilters): RunPage {
            val query = filters.query()
            return visit.snapshot("runs ${filters.scope} ${filters.key} $query") {
                val key = filters.key
                val runs = if (key == null) {
                    visit.reads.workflows.list(filters.scope, query)
                } else {
                    val run = visit.reads.workflows.findByKey(filters.scope, filters.type.orEmpty(), key)
                    Page(listOfNotNull(run?.summary()), null)
                }
                RunPage(runs, visit.reads.workflows.stepTotals(filters.scope, runs.items().map { it.id() }))
            }
        }

        private fun WorkflowRun.summary() = WorkflowSummary(
            id(), workflowType(), organizationId(), status(), statusReason(), pausedAt(), pauseReason(), openSteps(),
            activeSteps(), waitingSteps(), errorSteps(), idempotencyKey(), startedAt(), finishedAt(), createdAt(), updatedAt(),
        )
    }
}
