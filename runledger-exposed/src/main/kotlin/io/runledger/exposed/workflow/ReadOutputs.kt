package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.wire
import io.runledger.model.state.StepOutput
import java.util.UUID

/** What a running step can know of its prerequisites. */
internal class ReadOutputs(private val context: LedgerContext) {
    fun ofPrerequisites(job: UUID): List<StepOutput> = context.transactions.statement { connection ->
        connection.rows(context.statements["prerequisites"], { uuid(job) }) {
            StepOutput(getString("step_key"), wire("status"), jsonOrNull("output"), getString("input_name"))
        }
    }
}
