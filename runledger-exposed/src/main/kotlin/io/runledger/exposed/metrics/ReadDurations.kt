package io.runledger.exposed.metrics

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.DurationHistogram
import io.runledger.model.metrics.DurationHistogram.Bucket
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.temporal.ChronoUnit

/**
 * The durations of a type's attempts. Its jobs are found among at most [mostAttempts] attempts of the whole ledger, those that
 * ended last: no index has ended jobs by type.
 */
internal class ReadDurations(private val context: LedgerContext, private val mostAttempts: Int = MOST_ATTEMPTS) {
    fun durations(scope: Scope, jobType: String, jobs: Int): DurationHistogram {
        requireLimit(jobs)
        return context.transactions.statement { connection ->
            AttemptWindows.firstReadable(longest) { connection.read(scope, jobType, jobs, it) } ?: none(jobType)
        }
    }

    /** Null if the window has too many attempts. */
    private fun Connection.read(scope: Scope, jobType: String, jobs: Int, window: Duration): DurationHistogram? {
        var histogram = none(jobType)
        var attempts = 0L
        val counts = rows(
            context.statements.scoped("metrics/durations", scope),
            {
                long("window_us", window.toMicros())
                int("most", mostAttempts + 1)
                text("job_type", jobType)
                int("jobs", jobs)
                int("per_job", ATTEMPTS_PER_JOB)
                longs("bounds", DurationHistogram.BOUNDS.map { it.toMicros() })
                scope(scope)
            },
        ) {
            attempts = getLong("attempts_read")
            histogram = histogram(jobType)
            intOrNull("bucket") to getLong("attempts_in_bucket")
        }.toMap()
        return if (attempts > mostAttempts) null else histogram.with(counts)
    }

    private fun DurationHistogram.with(counts: Map<Int?, Long>): DurationHistogram {
        if (attempts() == 0L) return this
        val buckets = DurationHistogram.BOUNDS.mapIndexed { place, bound -> Bucket(bound, counts[place] ?: 0) }
        return DurationHistogram(jobType(), attempts(), since(), p50(), p95(), p99(), max(), buckets)
    }

    private fun ResultSet.histogram(jobType: String) = DurationHistogram(
        jobType,
        getLong("attempts"),
        instantOrNull("since"),
        durationOrNull("p50"),
        durationOrNull("p95"),
        durationOrNull("p99"),
        durationOrNull("longest"),
        emptyList(),
    )

    private fun ResultSet.durationOrNull(column: String): Duration? =
        longOrNull(column)?.let { Duration.of(it, ChronoUnit.MICROS) }

    private fun none(jobType: String) = DurationHistogram(jobType, 0, null, null, null, null, null, emptyList())

    private companion object {
        val longest: Duration = Duration.ofDays(30)
        const val MOST_ATTEMPTS = 50_000
        const val ATTEMPTS_PER_JOB = 20
    }
}
