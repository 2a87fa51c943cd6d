package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.row
import io.runledger.model.spec.DefinitionChange
import io.runledger.model.state.JobDefinition

/** What operators do to one type. */
internal class ChangeDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)

    fun switch(jobType: String, isEnabled: Boolean? = null, isPaused: Boolean? = null): JobDefinition =
        update(jobType, DefinitionChange.none(), isEnabled, isPaused)

    fun change(jobType: String, change: DefinitionChange): JobDefinition =
        update(jobType, change, isEnabled = null, isPaused = null)

    fun disable(jobType: String): JobDefinition = context.transactions.run { connection ->
        context.getDefinition(connection, jobType)
        disabling.disable(connection, listOf(jobType))
        context.getDefinition(connection, jobType)
    }

    private fun update(jobType: String, change: DefinitionChange, isEnabled: Boolean?, isPaused: Boolean?): JobDefinition =
        context.transactions.run { connection ->
            context.getDefinition(connection, jobType)
            connection.row(
                context.statements["definition_change"],
                {
                    int(change.maxAttempts())
                    int(change.timeout()?.toSeconds()?.toInt())
                    int(change.priority())
                    json(change.retryPolicy()?.storedForm())
                    bool(isEnabled)
                    bool(isPaused)
                    text(jobType)
                },
            ) { getString("job_type") }
            context.getDefinition(connection, jobType)
        }
}
