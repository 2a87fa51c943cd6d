package io.runledger.exposed.metrics

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.FailureCause
import java.sql.Connection
import java.time.Duration

/** Counts failed attempts by type and code. Reads at most [mostAttempts] per window. */
internal class ReadFailureCauses(private val context: LedgerContext, private val mostAttempts: Int = MOST_ATTEMPTS) {
    fun causes(scope: Scope, window: Duration, limit: Int): List<FailureCause> {
        AttemptWindows.require(window)
        JobQuery.requireLimit(limit)
        return context.transactions.statement { connection ->
            AttemptWindows.firstReadable(window) { connection.read(scope, it, limit) }.orEmpty()
        }
    }

    /** Null if the window has too many attempts. */
    private fun Connection.read(scope: Scope, window: Duration, limit: Int): List<FailureCause>? {
        var attempts = 0L
        val causes = rows(
            context.statements.scoped("metrics/failure_causes", scope),
            {
                long("window_us", window.toMicros())
                int("most", mostAttempts + 1)
                int("limit", limit)
                scope(scope)
            },
        ) {
            attempts = getLong("attempts")
            getString("job_type")?.let {
                FailureCause(it, getString("error_code"), getLong("failures"), instant("last_at"), window)
            }
        }
        return if (attempts > mostAttempts) null else causes.filterNotNull()
    }

    private companion object {
        const val MOST_ATTEMPTS = 200_000
    }
}
