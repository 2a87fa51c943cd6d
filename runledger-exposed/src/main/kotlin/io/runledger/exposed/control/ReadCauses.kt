package io.runledger.exposed.control

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.uuid
import io.runledger.model.job.DeadLetterCause
import io.runledger.model.job.DeadLetterCauses
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Scope
import java.sql.ResultSet

/** Groups open dead letters by cause. Reads at most [mostLetters] of them, so the cost does not depend on their number. */
internal class ReadCauses(private val context: LedgerContext, private val mostLetters: Int = MOST_LETTERS) {
    fun causes(scope: Scope, limit: Int): DeadLetterCauses {
        JobQuery.requireLimit(limit)
        val isOrganization = scope.kind() == Scope.Kind.ORGANIZATION
        var lettersRead = 0L
        var isComplete = false
        val causes = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped(if (isOrganization) "control/causes_of_organization" else "control/causes", scope),
                {
                    scope(scope)
                    // One more than is grouped shows whether there are more.
                    int("read", mostLetters + 1)
                    int("limit", limit)
                },
            ) {
                lettersRead = getLong("letters_read")
                isComplete = getBoolean("is_complete")
                if (getString("job_type") == null) null else cause()
            }
        }
        return DeadLetterCauses(causes.filterNotNull(), lettersRead, isComplete)
    }

    private fun ResultSet.cause() = DeadLetterCause(
        getString("job_type"),
        getString("error_code"),
        getString("message"),
        getLong("letters"),
        instant("first_at"),
        instant("last_at"),
        perHour(),
        uuid("sample_id"),
    )

    /** The array has the age of each dead letter in whole hours. */
    private fun ResultSet.perHour(): List<Long> {
        val counts = LongArray(HOURS)
        (getArray("hours_ago")?.array as Array<*>?).orEmpty().forEach { counts[HOURS - 1 - it as Int]++ }
        return counts.toList()
    }

    private companion object {
        const val MOST_LETTERS = 20_000
        const val HOURS = 24
    }
}
