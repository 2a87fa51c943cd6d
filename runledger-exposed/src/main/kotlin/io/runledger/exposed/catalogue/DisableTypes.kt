package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text
import java.sql.Connection

/** Switches types off: the one place that does, because it needs the strong lock and a look at the schedules. */
internal class DisableTypes(private val context: LedgerContext) {
    /** Disables those of [jobTypes] that are enabled, and answers with them. */
    fun disable(connection: Connection, jobTypes: Collection<String>): List<String> {
        if (jobTypes.isEmpty()) return emptyList()
        // The schedules are read after the wait for the lock, and must be those of that moment.
        context.transactions.requireReadCommitted(connection, ErrorCode.DEFINITION_ISOLATION)
        val enabled = connection.rows(context.statements["definition_lock"], { texts(jobTypes.toList()) }) {
            getString("job_type")
        }
        if (enabled.isEmpty()) return emptyList()
        refuseScheduled(connection, enabled)
        connection.update(context.statements["definition_disable"]) { texts(enabled) }
        return enabled
    }

    private fun refuseScheduled(connection: Connection, jobTypes: List<String>) {
        val schedules = connection.rows(context.statements["definition_schedules"], { texts(jobTypes) }) {
            getString("job_type") to getString("name")
        }
        if (schedules.isEmpty()) return
        val used = schedules.map { (jobType, _) -> Text.quoted(jobType) }.distinct().joinToString()
        throw ErrorCode.ACTIVE_SCHEDULE_EXISTS.exception(
            "Not disabled, because active schedules still make jobs of type $used: pause or delete these schedules first.",
            schedules.joinToString(prefix = "active schedules: ") { (jobType, name) -> "${Text.quoted(name)} of $jobType" },
        )
    }
}
