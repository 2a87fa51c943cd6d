package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import java.time.Duration

/** Deletes old history rows of schedules or of triggers. */
internal class PruneFires(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int, ofTriggers: Boolean): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["reap/prune_fires"]) {
                long("age_us", age.toMicros())
                int("limit", limit)
                bool("of_triggers", ofTriggers)
            }
        }
    }
}

private val LONGEST: Duration = Duration.ofDays(36_500)

internal fun requireAge(age: Duration) {
    if (age.isNegative || age > LONGEST) {
        throw ErrorCode.INVALID_ARGUMENT.exception("The age is $age: give zero to a hundred years.")
    }
}
