package io.runledger.exposed.await

import io.runledger.model.state.Scope
import io.runledger.model.state.WorkflowRun
import java.util.UUID

/** Waits until the run has ended, however it ended. */
internal class WaitForEnd(scope: Scope, runId: UUID) : Waiter<WorkflowRun>(scope, runId) {
    override fun isOver(run: WorkflowRun): Boolean = run.isTerminal

    override fun take(run: WorkflowRun): WorkflowRun = run
}
