package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.read.job
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.job.Job
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.util.UUID

/** Reads a job in the transaction that changed it. */
internal class ReadJob(private val context: LedgerContext) {
    /** The job, or null if there is none in [scope]. */
    fun read(connection: Connection, scope: Scope, id: UUID): Job? = connection.row(
        context.statements.scoped("read/job_by_id", scope),
        {
            uuid("job_id", id)
            scope(scope)
        },
    ) { job() }
}
