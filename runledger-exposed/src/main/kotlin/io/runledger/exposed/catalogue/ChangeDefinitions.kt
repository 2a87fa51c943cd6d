package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.model.spec.DefinitionChange
import io.runledger.model.state.JobDefinition
import java.sql.Connection

/** What operators do to one type. */
internal class ChangeDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)

    fun enable(jobType: String): JobDefinition = changed(jobType) { connection ->
        connection.update(context.statements["definition_enable"]) { text(jobType) }
    }

    fun disable(jobType: String): JobDefinition = changed(jobType) { disabling.disable(it, jobType) }

    fun reset(jobType: String): JobDefinition = changed(jobType) { disabling.reset(it, jobType) }

    fun pause(jobType: String, isPaused: Boolean): JobDefinition = change(jobType, DefinitionChange.none(), isPaused)

    fun change(jobType: String, change: DefinitionChange, isPaused: Boolean? = null): JobDefinition =
        changed(jobType) { connection ->
            connection.row(
                context.statements["definition_change"],
                {
                    int(change.maxAttempts())
                    int(change.timeout()?.toSeconds()?.toInt())
                    int(change.priority())
                    json(change.retryPolicy()?.storedForm())
                    bool(isPaused)
                    text(jobType)
                },
            ) { getString("job_type") }
        }

    private fun changed(jobType: String, change: (Connection) -> Unit): JobDefinition = context.transactions.run { connection ->
        context.getDefinition(connection, jobType)
        change(connection)
        context.getDefinition(connection, jobType)
    }
}
