package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.definition.JobMetrics
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import java.sql.ResultSet
import java.time.Duration
import kotlin.math.roundToLong

/** Numbers for dashboards and alerts, counted per call: the live jobs, and the attempts that ended within a window before now. */
public class Metrics internal constructor(private val context: LedgerContext) {
    /**
     * The numbers of every defined job type in [scope], in order of type. A type without jobs has zeros and no durations. For
     * [Scope.everything] each type has one row: counts are sums over all organizations, percentiles cover all attempts.
     *
     * Reads the live jobs and the attempts that ended within [window], by default five minutes, and no older rows: the cost
     * depends on the window, not on the length of the history. Throws `request.invalid` unless the window is a second to a day.
     */
    @JvmOverloads
    public fun jobs(scope: Scope, window: Duration = DEFAULT_WINDOW): List<JobMetrics> {
        if (window !in SHORTEST_WINDOW..LONGEST_WINDOW) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The window is $window: give $SHORTEST_WINDOW to $LONGEST_WINDOW.")
        }
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("metrics/metrics", scope),
                {
                    scope(scope)
                    long("window_us", window.toMicros())
                },
            ) { jobMetrics(scope, window) }
        }
    }

    private fun ResultSet.jobMetrics(scope: Scope, window: Duration) = JobMetrics(
        scope.organizationId(),
        getString("job_type"),
        window,
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

    private fun ResultSet.milliseconds(column: String): Duration? =
        getDouble(column).takeUnless { wasNull() }?.let { Duration.ofNanos((it * 1_000_000).roundToLong()) }

    private companion object {
        val DEFAULT_WINDOW: Duration = Duration.ofMinutes(5)
        val SHORTEST_WINDOW: Duration = Duration.ofSeconds(1)
        val LONGEST_WINDOW: Duration = Duration.ofDays(1)
    }
}
