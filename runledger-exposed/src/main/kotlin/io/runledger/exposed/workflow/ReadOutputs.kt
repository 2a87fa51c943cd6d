package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.wire
import io.runledger.model.json.Json
import io.runledger.model.run.StepOutput
import java.util.UUID

/** Reads the outputs of the prerequisites of a running step, and values from the context of its run. */
internal class ReadOutputs(private val context: LedgerContext) {
    fun ofPrerequisites(job: UUID): List<StepOutput> = context.transactions.statement { connection ->
        connection.rows(context.statements["workflow/prerequisites"], { uuid("job_id", job) }) {
            StepOutput(getString("step_key"), wire("status"), jsonOrNull("output"), getString("input_name"))
        }
    }

    fun ofContext(job: UUID, name: String): Json? = context.transactions.statement { connection ->
        connection.row(
            context.statements["workflow/context_value"],
            {
                text("name", name)
                uuid("job_id", job)
            },
        ) { jsonOrNull("value") }
    }
}
