package io.runledger.exposed.read

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.ledger.ChangeMarks
import java.util.UUID

/** Reads marks of the ledger, of jobs and of runs with one statement. */
internal class ReadChanges(private val context: LedgerContext) {
    fun marks(jobIds: Collection<UUID>, runIds: Collection<UUID>): ChangeMarks = context.transactions.statement { connection ->
        var ledger = ""
        val jobs = HashMap<UUID, String>()
        val runs = HashMap<UUID, String>()
        connection.rows(
            context.statements["read/changes"],
            {
                text("schema", context.schema.text)
                uuids("job_ids", jobIds.distinct())
                uuids("run_ids", runIds.distinct())
            },
        ) {
            val mark = getString("mark")
            when (getString("kind")) {
                "job" -> jobs[uuid("id")] = mark
                "run" -> runs[uuid("id")] = mark
                else -> ledger = mark
            }
        }
        ChangeMarks(ledger, jobs, runs)
    }
}
