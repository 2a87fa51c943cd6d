package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.definition.JobDefinition
import java.sql.Connection

/** Operator changes to one job type. */
internal class ChangeDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)

    fun enable(jobType: String): JobDefinition = changed(jobType) { connection ->
        connection.update(context.statements["definition/definition_enable"]) { text("job_type", jobType) }
    }

    fun disable(jobType: String): JobDefinition = changed(jobType) { disabling.disable(it, jobType) }

    fun reset(jobType: String): JobDefinition = changed(jobType) { disabling.reset(it, jobType) }

    fun pause(jobType: String, isPaused: Boolean): JobDefinition = change(jobType, DefinitionChange.none(), isPaused)

    fun change(jobType: String, change: DefinitionChange, isPaused: Boolean? = null): JobDefinition =
        changed(jobType) { connection ->
            connection.row(
                context.statements["definition/definition_change"],
                {
                    int("max_attempts", change.maxAttempts())
                    int("timeout_seconds", change.timeout()?.toSeconds()?.toInt())
                    int("priority", change.priority())
                    json("retry_policy", change.retryPolicy()?.storedForm())
                    bool("is_paused", isPaused)
                    text("job_type", jobType)
                },
            ) { getString("job_type") }
        }

    private fun changed(jobType: String, change: (Connection) -> Unit): JobDefinition = context.transactions.run { connection ->
        context.getDefinition(connection, jobType)
        change(connection)
        context.getDefinition(connection, jobType)
    }
}
