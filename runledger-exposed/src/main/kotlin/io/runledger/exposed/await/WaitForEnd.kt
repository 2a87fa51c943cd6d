package io.runledger.exposed.await

import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRun
import java.util.UUID
import java.util.concurrent.Executor

/** Waits until the run has ended, whatever its outcome. */
internal class WaitForEnd(scope: Scope, runId: UUID, threads: Executor) : Waiter<WorkflowRun>(scope, runId, threads) {
    override fun isOver(run: WorkflowRun): Boolean = run.isTerminal

    override fun take(run: WorkflowRun): WorkflowRun = run
}
