package io.runledger.exposed.await

import io.runledger.exposed.sql.Statements
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.workflow.workflowRun
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.WorkflowRun
import java.sql.ResultSet
import java.util.UUID

/** One statement for all that is waited for. */
internal class LookUp(private val statements: Statements, private val transactions: Transactions) {
    /**
     * What [choose] names, chosen when the connection is there: waiting for one may take long, and what was asked meanwhile is
     * answered too. Of runs that were seen before, only those that ended or are gone come back.
     */
    fun read(choose: () -> List<Asked>): Map<UUID, Result<WorkflowRun?>> = transactions.statement { connection ->
        val asked = choose()
        if (asked.isEmpty()) return@statement emptyMap()
        connection.rows(
            statements["run_await"],
            {
                uuids(asked.map { it.runId })
                bools(asked.map { it.isNew })
            },
        ) { uuid("asked_id") to run() }.toMap()
    }

    // A row that cannot be read concerns those who wait for it, and nobody else.
    private fun ResultSet.run(): Result<WorkflowRun?> = try {
        Result.success(uuidOrNull("id")?.let { workflowRun() })
    } catch (unreadable: RunledgerException) {
        Result.failure(unreadable)
    }

    class Asked(val runId: UUID, val isNew: Boolean)
}
