package io.runledger.exposed.flow

import io.runledger.exposed.TestLedger
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit

/** Defines a job type whose jobs have the flow [flow], in its stored form. */
internal fun TestLedger.defineWithFlow(type: String, flow: String?) = run(
    "INSERT INTO runledger.job_definitions (job_type, flow) VALUES ('$type', ${flow?.let { "'$it'" }})",
)

/** Declares the limit if it does not exist, and puts [values] in force. */
internal fun TestLedger.putLimit(name: String, values: LimitValues, keyedBy: KeyedBy = KeyedBy.NONE) {
    val rate = values.rate()
    val columns = "permits, rate_count, rate_burst, rate_period_us"
    val given = "${values.permits()}, ${rate?.count()}, ${rate?.burst()}, ${rate?.period()?.let { it.toNanos() / 1_000 }}"
    run(
        """
        INSERT INTO runledger.limits (name, keyed_by, $columns) VALUES ('$name', '${keyedBy.name}', $given)
        ON CONFLICT (name) DO UPDATE SET ($columns) = ($given)
        """,
        "INSERT INTO runledger.limit_changes (name, $columns) VALUES ('$name', $given)",
    )
}

/** The time of the server. */
internal fun TestLedger.clock(): Instant = instant("clock_timestamp()")

internal fun TestLedger.instant(expression: String): Instant {
    val micros = value("SELECT (extract(epoch FROM $expression) * 1000000)::bigint").toLong()
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
}

/** Moves everything that has happened, and everything that is due, so far into the past. */
internal fun TestLedger.age(time: Duration) {
    val columns = rows(
        """
        SELECT table_name, string_agg(format('%1${'$'}I = %1${'$'}I - make_interval(secs => ${time.toSeconds()})', column_name), ', ')
        FROM information_schema.columns
        WHERE table_schema = 'runledger' AND data_type = 'timestamp with time zone' AND is_generated = 'NEVER' AND table_name IN (
            'job_queue', 'job_attempts', 'job_journal', 'job_dead_letters', 'limit_keys', 'limit_changes'
        )
        GROUP BY table_name
        """,
    )
    columns.map { it.split("|") }.forEach { (table, changes) -> run("UPDATE runledger.$table SET $changes") }
}
