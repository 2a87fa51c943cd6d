package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.settings
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

    fun pause(jobType: String, isPaused: Boolean): JobDefinition = change(jobType, StoredSettings.NONE, isPaused)

    fun change(jobType: String, change: DefinitionChange): JobDefinition =
        change(jobType, change.settings().storedForm(), isPaused = null)

    private fun change(jobType: String, change: StoredSettings, isPaused: Boolean?): JobDefinition =
        changed(jobType) { connection ->
            connection.row(
                context.statements["definition/definition_change"],
                {
                    settings(change)
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
