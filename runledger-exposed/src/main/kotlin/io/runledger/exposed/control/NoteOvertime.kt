package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireDelay
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import java.time.Duration

/** Records that a handler ignored its timeout, with one statement that does not wait for locks. */
internal class NoteOvertime(private val context: LedgerContext) {
    fun note(lease: Lease, atMost: Duration): Boolean {
        requireDelay(atMost, Duration.ZERO, ErrorCode.INVALID_DELAY)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["control/overtime"],
                {
                    uuid("job_id", lease.jobId())
                    uuid("lease_id", lease.leaseId())
                    long("overtime_us", atMost.toMicros())
                },
            ) { getLong("id") }
        }.isNotEmpty()
    }
}
