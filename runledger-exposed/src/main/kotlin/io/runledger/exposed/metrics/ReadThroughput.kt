package io.runledger.exposed.metrics

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.metrics.Throughput
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant

/** Counts ended attempts per bucket of time. Reads at most [mostAttempts] per window. */
internal class ReadThroughput(private val context: LedgerContext, private val mostAttempts: Int = MOST_ATTEMPTS) {
    fun throughput(scope: Scope, window: Duration, buckets: Int = BUCKETS): Throughput {
        AttemptWindows.require(window)
        if (buckets !in 1..MOST_BUCKETS) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The number of buckets is $buckets: give 1 to $MOST_BUCKETS.")
        }
        return context.transactions.statement { connection ->
            var readAt = Instant.EPOCH
            val found = AttemptWindows.firstReadable(window) { tried ->
                // The requested number fits the requested window, for example to full hours.
                val count = if (tried == window) buckets else BUCKETS
                val rows = connection.read(scope, tried, count)
                readAt = rows.first().until
                if (rows.first().attempts > mostAttempts) null else throughput(tried, count, rows, tried < window)
            }
            found ?: Throughput(readAt, readAt, Duration.ZERO, emptyList(), true)
        }
    }

    private fun throughput(window: Duration, buckets: Int, rows: List<Row>, isCut: Boolean): Throughput {
        val from = rows.first().since
        val counted = rows.associateBy { it.bucket }
        val points = (0 until buckets).map { bucket ->
            val at = from + window.multipliedBy(bucket.toLong()).dividedBy(buckets.toLong())
            counted[bucket].let { Throughput.Point(at, it?.succeeded ?: 0, it?.failed ?: 0, it?.deadLettered ?: 0) }
        }
        return Throughput(from, rows.first().until, window.dividedBy(buckets.toLong()), points, isCut)
    }

    private fun Connection.read(scope: Scope, window: Duration, buckets: Int): List<Row> = rows(
        context.statements.scoped("metrics/throughput", scope),
        {
            long("window_us", window.toMicros())
            int("most", mostAttempts + 1)
            int("buckets", buckets)
            bool("is_whole", scope.kind() == Scope.Kind.EVERYTHING)
            scope(scope)
        },
    ) { Row(this) }

    private class Row(row: ResultSet) {
        val since: Instant = row.instant("since")
        val until: Instant = row.instant("until")
        val attempts: Long = row.getLong("attempts")
        val bucket: Int? = row.intOrNull("bucket")
        val succeeded: Long = row.getLong("succeeded")
        val failed: Long = row.getLong("failed")
        val deadLettered: Long = row.getLong("dead_lettered")
    }

    private companion object {
        const val MOST_ATTEMPTS = 200_000
        const val BUCKETS = 60
        const val MOST_BUCKETS = 1_000
    }
}
