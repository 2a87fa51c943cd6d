package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.update
import java.time.Duration

/** Forgets workers that vanished. */
internal class PruneWorkers(private val context: LedgerContext) {
    fun prune(age: Duration, limit: Int): Int {
        requireLimit(limit)
        requireAge(age)
        return context.transactions.statement { connection ->
            connection.update(context.statements["prune_workers"]) {
                long(age.toMicros())
                int(limit)
            }
        }
    }
}
