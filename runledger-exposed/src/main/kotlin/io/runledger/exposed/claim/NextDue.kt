package io.runledger.exposed.claim

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import java.time.Duration
import java.time.temporal.ChronoUnit

/** Reads the time until the next job is due, with one statement that takes no locks. */
internal class NextDue(private val context: LedgerContext) {
    fun until(jobTypes: Collection<String>, withFlow: Boolean): Duration? {
        if (jobTypes.isEmpty()) return null
        val micros = context.transactions.statement { connection ->
            connection.row(
                context.statements["claim/next_due"],
                {
                    texts("job_types", jobTypes.distinct())
                    bool("with_flow", withFlow)
                },
            ) { longOrNull("until_us") }
        }
        return micros?.let { Duration.of(maxOf(it, 0), ChronoUnit.MICROS) }
    }
}
