package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.booleanOrNull
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.text.Text
import java.sql.Connection

/** Disables job types. No other class does, because it requires a strong lock and a check of the schedules. */
internal class DisableTypes(private val context: LedgerContext) {
    /** Disables a type on an operator's decision, which is in force until it is lifted. */
    fun disable(connection: Connection, jobType: String) {
        refuseScheduled(connection, lock(connection, listOf(jobType)).filter { it.isEnabled })
        connection.update(context.statements["definition/definition_disable"]) { text("job_type", jobType) }
    }

    /** Disables types because of their declaration. Returns the newly disabled ones; an operator's decision is kept. */
    fun retire(connection: Connection, jobTypes: Collection<String>): List<String> {
        if (jobTypes.isEmpty()) return emptyList()
        val locked = lock(connection, jobTypes)
        if (locked.isEmpty()) return emptyList()
        val retired = locked.filter { it.isEnabled && it.declared == null }
        refuseScheduled(connection, retired)
        connection.update(context.statements["definition/definition_retire"]) { texts("job_types", locked.map { it.jobType }) }
        return retired.map { it.jobType }
    }

    /** Lifts all operator decisions. This disables a type that is declared as disabled. */
    fun reset(connection: Connection, jobType: String) {
        refuseScheduled(connection, lock(connection, listOf(jobType)).filter { it.isEnabled && it.declared == false })
        connection.update(context.statements["definition/definition_reset"]) { text("job_type", jobType) }
    }

    private fun lock(connection: Connection, jobTypes: Collection<String>): List<LockedDefinition> {
        // The schedules are read after the wait for the lock, and that read needs a new snapshot.
        context.transactions.requireReadCommitted(connection, ErrorCode.DEFINITION_ISOLATION)
        return connection.rows(context.statements["definition/definition_lock"], { texts("job_types", jobTypes.toList()) }) {
            LockedDefinition(getString("job_type"), getBoolean("is_enabled"), booleanOrNull("declared_is_enabled"))
        }
    }

    private fun refuseScheduled(connection: Connection, definitions: List<LockedDefinition>) {
        if (definitions.isEmpty()) return
        val types = definitions.map { it.jobType }
        val schedules = connection.rows(context.statements["definition/definition_schedules"], { texts("job_types", types) }) {
            getString("job_type") to getString("name")
        }
        if (schedules.isEmpty()) return
        val used = schedules.map { (jobType, _) -> Text.quoted(jobType) }.distinct().joinToString()
        throw ErrorCode.ACTIVE_SCHEDULE_EXISTS.exception(
            "Active schedules still create jobs of type $used: pause or delete these schedules before disabling the type.",
            schedules.joinToString(prefix = "active schedules: ") { (jobType, name) -> "${Text.quoted(name)} of $jobType" },
        )
    }

    /** A locked definition. [declared] is the declared state while an operator's decision is in force, else null. */
    private class LockedDefinition(val jobType: String, val isEnabled: Boolean, val declared: Boolean?)
}
