package io.runledger.exposed.await

import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.workflow.workflowRun
import io.runledger.model.error.RunledgerException
import io.runledger.model.workflow.WorkflowRun
import java.sql.ResultSet
import java.util.UUID

/** Looks up all awaited runs with one statement. */
internal class LookUp(private val statements: Statements, private val transactions: Transactions) {
    /**
     * Looks up the runs that [choose] returns. [choose] is called when a connection is available: the wait for one may be long,
     * and requests that arrive meanwhile are included. A run that was seen before is returned only if it has ended or does not
     * exist.
     */
    fun read(choose: () -> List<Request>): Map<UUID, Result<WorkflowRun?>> = transactions.statement { connection ->
        val requests = choose()
        if (requests.isEmpty()) return@statement emptyMap()
        connection.rows(
            statements["await/run_await"],
            {
                uuids("run_ids", requests.map { it.runId })
                bools("are_new", requests.map { it.isNew })
            },
        ) { uuid("requested_id") to run() }.toMap()
    }

    // A row that cannot be read fails only the waiters of that run.
    private fun ResultSet.run(): Result<WorkflowRun?> = try {
        Result.success(uuidOrNull("id")?.let { workflowRun() })
    } catch (unreadable: RunledgerException) {
        Result.failure(unreadable)
    }

    class Request(val runId: UUID, val isNew: Boolean)
}
