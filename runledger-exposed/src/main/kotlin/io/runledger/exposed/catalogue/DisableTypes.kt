package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.booleanOrNull
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import java.sql.Connection

/** Switches types off: the one place that does, because it needs the strong lock and a look at the schedules. */
internal class DisableTypes(private val context: LedgerContext) {
    /** On an operator's word, which stands until it is lifted. */
    fun disable(connection: Connection, jobType: String) {
        refuseScheduled(connection, lock(connection, listOf(jobType)).filter { it.isEnabled })
        connection.update(context.statements["definition_disable"]) { text(jobType) }
    }

    /** Because code says so. Answers with those of [jobTypes] that were enabled and no longer are: an operator's word stays. */
    fun retire(connection: Connection, jobTypes: Collection<String>): List<String> {
        if (jobTypes.isEmpty()) return emptyList()
        val held = lock(connection, jobTypes)
        if (held.isEmpty()) return emptyList()
        val retired = held.filter { it.isEnabled && it.declared == null }
        refuseScheduled(connection, retired)
        connection.update(context.statements["definition_retire"]) { texts(held.map { it.jobType }) }
        return retired.map { it.jobType }
    }

    /** Lifts everything that an operator said, which may disable what code declares as disabled. */
    fun reset(connection: Connection, jobType: String) {
        refuseScheduled(connection, lock(connection, listOf(jobType)).filter { it.isEnabled && it.declared == false })
        connection.update(context.statements["definition_reset"]) { text(jobType) }
    }

    private fun lock(connection: Connection, jobTypes: Collection<String>): List<Held> {
        // The schedules are read after the wait for the lock, and must be those of that moment.
        context.transactions.requireReadCommitted(connection, ErrorCode.DEFINITION_ISOLATION)
        return connection.rows(context.statements["definition_lock"], { texts(jobTypes.toList()) }) {
            Held(getString("job_type"), getBoolean("is_enabled"), booleanOrNull("declared_is_enabled"))
        }
    }

    private fun refuseScheduled(connection: Connection, held: List<Held>) {
        if (held.isEmpty()) return
        val schedules = connection.rows(context.statements["definition_schedules"], { texts(held.map { it.jobType }) }) {
            getString("job_type") to getString("name")
        }
        if (schedules.isEmpty()) return
        val used = schedules.map { (jobType, _) -> Text.quoted(jobType) }.distinct().joinToString()
        throw ErrorCode.ACTIVE_SCHEDULE_EXISTS.exception(
            "Not disabled, because active schedules still make jobs of type $used: pause or delete these schedules first.",
            schedules.joinToString(prefix = "active schedules: ") { (jobType, name) -> "${Text.quoted(name)} of $jobType" },
        )
    }

    /** A locked definition; [declared] is what code says while an operator's word stands. */
    private class Held(val jobType: String, val isEnabled: Boolean, val declared: Boolean?)
}
