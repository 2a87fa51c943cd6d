package io.runledger.exposed.claim

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Asks how long a worker may sleep: one statement, which locks nothing. */
internal class NextDue(private val context: LedgerContext) {
    fun until(jobTypes: Collection<String>): Duration? {
        if (jobTypes.isEmpty()) return null
        val micros = context.transactions.statement { connection ->
            connection.row(context.statements["next_due"], { texts(jobTypes.distinct()) }) { longOrNull("until_us") }
        }
        return micros?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }
    }
}
