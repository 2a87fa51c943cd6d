package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.read.deadLetter
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.state.DeadLetter
import io.runledger.model.state.Page
import io.runledger.model.state.Scope
import java.util.UUID

/** Lists the times jobs gave up. */
internal class ReadDeadLetters(private val context: LedgerContext) {
    fun history(scope: Scope, jobId: UUID): List<DeadLetter> = context.transactions.statement { connection ->
        connection.rows(
            context.statements.scoped("dead_letters", scope),
            {
                uuid(jobId)
                scope(scope)
            },
        ) { deadLetter() }
    }

    fun open(scope: Scope, limit: Int, after: String?): Page<DeadLetter> {
        requireLimit(limit)
        val position = after?.let(DeadLetterCursor::read)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("open_dead_letters", scope),
                {
                    scope(scope)
                    instant(position?.failedAt)
                    instant(position?.failedAt)
                    uuid(position?.jobId)
                    int(limit + 1)
                },
            ) { deadLetter() }
        }
        val items = found.take(limit)
        val last = items.lastOrNull().takeIf { found.size > limit }
        return Page(items, last?.let { DeadLetterCursor(it.failedAt(), it.jobId()).text() })
    }
}
