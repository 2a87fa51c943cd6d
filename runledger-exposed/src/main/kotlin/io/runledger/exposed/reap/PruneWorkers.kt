package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.update
import java.time.Duration

/** Deletes lost workers from the list. */
internal class PruneWorkers(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["reap/prune_workers"]) {
                long("age_us", age.toMicros())
                int("limit", limit)
            }
        }
    }
}
