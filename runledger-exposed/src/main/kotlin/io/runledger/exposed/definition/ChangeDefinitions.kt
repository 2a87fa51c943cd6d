package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.json.StoredSettings
import io.runledger.exposed.json.defaults
import io.runledger.exposed.json.plainMap
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.definition.JobDefinition
import io.runledger.model.json.Json
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.sql.Connection

/** Operator changes to one job type. */
internal class ChangeDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)
    private val actions = RecordActions(context)

    fun enable(jobType: String, reason: String?): JobDefinition = changed(
        draft(OperatorActionKind.DEFINITION_ENABLE, jobType, reason),
        jobType,
    ) { connection, _ ->
        connection.update(context.statements["definition/definition_enable"]) { text("job_type", jobType) }
    }

    fun disable(jobType: String, reason: String?): JobDefinition =
        changed(draft(OperatorActionKind.DEFINITION_DISABLE, jobType, reason), jobType) { connection, _ ->
            disabling.disable(connection, jobType)
        }

    fun reset(jobType: String, reason: String?): JobDefinition =
        changed(draft(OperatorActionKind.DEFINITION_RESET, jobType, reason), jobType) { connection, _ ->
            disabling.reset(connection, jobType)
        }

    fun pause(jobType: String, isPaused: Boolean, reason: String?): JobDefinition {
        val kind = if (isPaused) OperatorActionKind.DEFINITION_PAUSE else OperatorActionKind.DEFINITION_RESUME
        return change(draft(kind, jobType, reason), jobType, StoredSettings.NONE, isPaused)
    }

    fun pause(connection: Connection, jobType: String, isPaused: Boolean, act: Act): JobDefinition =
        changed(connection, jobType, act) { write(connection, jobType, StoredSettings.NONE, isPaused) }

    fun change(jobType: String, change: DefinitionChange, reason: String?): JobDefinition {
        val draft = draft(OperatorActionKind.DEFINITION_CHANGE, jobType, reason)
        return change(draft, jobType, change.settings().storedForm(), isPaused = null)
    }

    private fun draft(kind: OperatorActionKind, jobType: String, reason: String?) =
        ActionDraft(kind, OperatorTarget.jobType(jobType), reason?.let(Reason::required), null, 1)

    private fun change(draft: ActionDraft, jobType: String, change: StoredSettings, isPaused: Boolean?): JobDefinition =
        changed(draft, jobType) { connection, act ->
            val named = plainMap(Json("{${change.members()}}")).filterValues { it != null }
            if (named.isNotEmpty()) act.details["change"] = named
            write(connection, jobType, change, isPaused)
        }

    private fun write(connection: Connection, jobType: String, change: StoredSettings, isPaused: Boolean?) {
        connection.row(
            context.statements["definition/definition_change"],
            {
                defaults(change)
                bool("is_paused", isPaused)
                text("job_type", jobType)
            },
        ) { getString("job_type") }
    }

    private fun changed(draft: ActionDraft, jobType: String, change: (Connection, Act) -> Unit): JobDefinition =
        context.transactions.run { connection ->
            actions.record(connection, draft) { act -> changed(connection, jobType, act) { change(connection, act) } }
        }

    private fun changed(connection: Connection, jobType: String, act: Act, change: () -> Unit): JobDefinition {
        val before = context.getDefinition(connection, jobType)
        change()
        return context.getDefinition(connection, jobType).also { act.changed(!it.isSameAs(before)) }
    }

    private fun JobDefinition.isSameAs(other: JobDefinition) =
        paused() == other.paused() && effective() == other.effective() && overrides() == other.overrides()
}
