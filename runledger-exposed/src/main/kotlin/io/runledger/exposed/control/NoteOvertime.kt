package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.state.Lease
import java.time.Duration

/** Notes that a handler ignored its timeout: one statement that waits for no other session. */
internal class NoteOvertime(private val context: LedgerContext) {
    fun note(lease: Lease, atMost: Duration): Boolean {
        requireDelay(atMost, Duration.ZERO, ErrorCode.INVALID_DELAY)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["overtime"],
                {
                    uuid(lease.jobId())
                    uuid(lease.leaseId())
                    long(atMost.toMicros())
                },
            ) { getLong("id") }
        }.isNotEmpty()
    }
}
