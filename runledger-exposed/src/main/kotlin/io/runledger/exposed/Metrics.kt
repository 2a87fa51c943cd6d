package io.runledger.exposed

import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.state.JobMetrics
import io.runledger.model.state.Scope
import java.sql.ResultSet
import java.time.Duration
import kotlin.math.roundToLong

/** Numbers for dashboards and alerts, counted when asked for: what is live now, and what ended in the last 24 hours. */
public class Metrics internal constructor(private val context: LedgerContext) {
    /**
     * The numbers of every defined job type in [scope], in order of type; a type that did nothing has zeros and no durations.
     * For [Scope.everything] each type has one row: counts are sums over all organizations, percentiles are taken over all
     * attempts.
     */
    public fun jobs(scope: Scope): List<JobMetrics> {
        val statement = if (scope.kind() == Scope.Kind.EVERYTHING) "metrics_everything" else "metrics"
        return context.transactions.statement { connection ->
            connection.rows(context.statements.scoped(statement, scope), { scope(scope) }) { jobMetrics(scope) }
        }
    }

    private fun ResultSet.jobMetrics(scope: Scope) = JobMetrics(
        scope.organizationId(),
        getString("job_type"),
        getLong("pending"),
        getLong("leased"),
        getLong("stale_leases"),
        getLong("succeeded"),
        getLong("retryable"),
        getLong("terminal"),
        getLong("panicked"),
        getLong("timed_out"),
        getLong("lease_expired"),
        getLong("dead_lettered"),
        milliseconds("p50_ms"),
        milliseconds("p95_ms"),
    )

    private fun ResultSet.milliseconds(column: String): Duration? = getDouble(column).takeUnless { wasNull() }?.let {
        Duration.ofNanos(
            (
                it *
                    1_000_000
                ).roundToLong(),
        )
    }
}
