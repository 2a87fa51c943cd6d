package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.update
import java.time.Duration

/** Deletes the rows of keys that claims have locked once and no longer need. */
internal class PruneLimitKeys(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["reap/prune_limit_keys"]) {
                long("age_us", age.toMicros())
                int("limit", limit)
            }
        }
    }
}
