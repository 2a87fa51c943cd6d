package io.runledger.exposed.control

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.read.deadLetter
import io.runledger.exposed.read.page
import io.runledger.exposed.sql.instant
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
        val position = after?.let(TimedCursor::read)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("open_dead_letters", scope),
                {
                    scope(scope)
                    instant(position?.at)
                    uuid(position?.id)
                    int(limit + 1)
                },
            ) { deadLetter() to instant("finished_at") }
        }
        val page = found.page(limit) { (letter, at) -> TimedCursor(at, letter.jobId()).text() }
        return Page(page.items().map { (letter, _) -> letter }, page.next())
    }
}
