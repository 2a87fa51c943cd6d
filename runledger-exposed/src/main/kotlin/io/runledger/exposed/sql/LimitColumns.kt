package io.runledger.exposed.sql

import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit

/** The values of a limit in the columns whose names begin with [prefix]. */
internal fun ResultSet.limitValues(prefix: String = ""): LimitValues = LimitValues(
    intOrNull("${prefix}permits"),
    intOrNull("${prefix}rate_count")?.let {
        Rate(it, Duration.of(getLong("${prefix}rate_period_us"), ChronoUnit.MICROS), getInt("${prefix}rate_burst"))
    },
)

/** Sets the parameters of a statement that writes the values of one limit. */
internal fun Binder.limitValues(values: LimitValues) {
    int("permits", values.permits())
    int("rate_count", values.rate()?.count())
    long("rate_period_us", values.rate()?.periodMicros())
    int("rate_burst", values.rate()?.burst())
}

/** The arrays of an `unnest` that writes the values of many limits. */
internal fun Binder.limitValues(rows: List<LimitValues>) {
    ints("permits", rows.map { it.permits() })
    ints("rate_counts", rows.map { it.rate()?.count() })
    longs("rate_periods_us", rows.map { it.rate()?.periodMicros() })
    ints("rate_bursts", rows.map { it.rate()?.burst() })
}

/** A [Rate] has whole microseconds. */
internal fun Rate.periodMicros(): Long = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(period()))
