package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import java.time.Duration

/** Forgets old lines of schedules' histories, or of triggers'. */
internal class PruneFires(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int, ofTriggers: Boolean): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["prune_fires"]) {
                long(age.toMicros())
                int(limit)
                bool(ofTriggers)
                int(limit)
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
