package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.metrics.AttemptWindows
import io.runledger.exposed.metrics.ReadDurations
import io.runledger.exposed.metrics.ReadFailureCauses
import io.runledger.exposed.metrics.ReadFleet
import io.runledger.exposed.metrics.ReadThroughput
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.definition.JobMetrics
import io.runledger.model.fleet.FleetMetrics
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.DurationHistogram
import io.runledger.model.metrics.FailureCause
import io.runledger.model.metrics.Throughput
import java.sql.ResultSet
import java.time.Duration
import kotlin.math.roundToLong

/** Numbers for dashboards and alerts, counted per call: live jobs, the fleet, and attempts that ended within a window. */
public class Metrics internal constructor(private val context: LedgerContext) {
    private val throughputs = ReadThroughput(context)
    private val failures = ReadFailureCauses(context)
    private val histograms = ReadDurations(context)
    private val fleets = ReadFleet(context)

    /**
     * The numbers of every defined job type in [scope], in order of type. A type without jobs has zeros and no durations. For
     * [Scope.everything] each type has one row: counts are sums over all organizations, percentiles cover all attempts.
     *
     * Reads the live jobs and the attempts that ended within [window], by default five minutes, and no older rows: the cost
     * depends on the window, not on the length of the history. Throws `request.invalid` unless the window is a second to a day.
     */
    @JvmOverloads
    public fun jobs(scope: Scope, window: Duration = DEFAULT_WINDOW): List<JobMetrics> {
        // This read has no bound on its rows.
        AttemptWindows.require(window, LONGEST_WITHOUT_BOUND)
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

    /**
     * The load of the whole ledger, of all organizations, for gauges: backlog, running jobs, dead letters, workers, late
     * schedules, runs, gates, limits and queues. Three statements on one snapshot, for scrapes every few seconds. They read live
     * rows only, and each count stops at [limit] rows, by default 10,000: the cost does not depend on the length of the backlog
     * or of the history. Throws `request.invalid` unless the limit is 1 to 1,000,000.
     */
    @JvmOverloads
    public fun fleet(limit: Int = DEFAULT_COUNT): FleetMetrics = fleets.fleet(limit)

    /**
     * The attempts that ended within [window], by default an hour, in [buckets], by default 60: succeeded, failed and retried,
     * failed for good. Interrupted and canceled attempts do not count.
     *
     * Reads at most 200,000 attempts, of all organizations. If the window has more, a shorter one is read, in 60 buckets: a
     * day, six hours, an hour, ten minutes, a minute, ten seconds or one. [Throughput.isCut] is then true, and
     * [Throughput.from] and [Throughput.until] name the window. The cost of [Scope.everything] is that of the attempts; any
     * other scope also reads the job of each.
     *
     * Throws `request.invalid` unless the window is a second to seven days, and there are 1 to 1,000 buckets.
     */
    @JvmOverloads
    public fun throughput(scope: Scope, window: Duration = LONG_WINDOW, buckets: Int = DEFAULT_BUCKETS): Throughput =
        throughputs.throughput(scope, window, buckets)

    /**
     * The failed attempts that ended within [window], by default an hour, by job type and code, most frequent first. Retried
     * attempts count too. Reads at most 200,000 attempts, as [throughput] does; [FailureCause.window] is the window that was
     * counted.
     *
     * Throws `request.invalid` unless the window is a second to seven days, and `job.invalid_pagination` unless [limit] is 1
     * to 1,000.
     */
    @JvmOverloads
    public fun failureCauses(scope: Scope, window: Duration = LONG_WINDOW, limit: Int = DEFAULT_CAUSES): List<FailureCause> =
        failures.causes(scope, window, limit)

    /**
     * How long the attempts of [jobType] took: those of the [jobs] jobs that ended last, at most the last 20 of each. Empty if
     * there are none.
     *
     * No index has ended jobs by type. They are looked for among the attempts of the ledger that ended last, of all types and
     * organizations: at most 50,000, and at most 30 days back. In a busy ledger a rare type may therefore have fewer jobs, or
     * none. [DurationHistogram.since] says how far back the numbers go.
     *
     * Throws `request.invalid` unless [jobs] is 1 to 10,000.
     */
    @JvmOverloads
    public fun durations(scope: Scope, jobType: String, jobs: Int = DEFAULT_JOBS): DurationHistogram =
        histograms.durations(scope, jobType, jobs)

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
        val LONG_WINDOW: Duration = Duration.ofHours(1)
        val LONGEST_WITHOUT_BOUND: Duration = Duration.ofDays(1)
        const val DEFAULT_BUCKETS = 60
        const val DEFAULT_CAUSES = 20
        const val DEFAULT_JOBS = 1_000
        const val DEFAULT_COUNT = 10_000
    }
}
