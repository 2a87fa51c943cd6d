package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.update
import java.time.Duration

/** Deletes the records of old actions. */
internal class PruneActions(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["reap/prune_actions"]) {
                long("age_us", age.toMicros())
                int("limit", limit)
            }
        }
    }
}
