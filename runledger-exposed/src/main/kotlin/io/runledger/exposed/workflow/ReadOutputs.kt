package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.wire
import io.runledger.model.json.Json
import io.runledger.model.state.StepOutput
import java.util.UUID

/** What a running step can know of its prerequisites, and of what the steps of its run share. */
internal class ReadOutputs(private val context: LedgerContext) {
    fun ofPrerequisites(job: UUID): List<StepOutput> = context.transactions.statement { connection ->
        connection.rows(context.statements["prerequisites"], { uuid(job) }) {
            StepOutput(getString("step_key"), wire("status"), jsonOrNull("output"), getString("input_name"))
        }
    }

    fun ofContext(job: UUID, name: String): Json? = context.transactions.statement { connection ->
        connection.row(
            context.statements["context_value"],
            {
                text(name)
                uuid(job)
            },
        ) { jsonOrNull("value") }
    }
}
