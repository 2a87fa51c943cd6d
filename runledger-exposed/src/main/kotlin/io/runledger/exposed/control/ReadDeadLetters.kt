package io.runledger.exposed.control

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.context.page
import io.runledger.exposed.read.deadLetter
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.util.UUID

/** Lists dead letters. */
internal class ReadDeadLetters(private val context: LedgerContext) {
    fun history(scope: Scope, jobId: UUID, limit: Int, after: String?): Page<DeadLetter> {
        JobQuery.requireLimit(limit)
        val afterRun = after?.let(Cursor::number) ?: 0
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("control/dead_letters", scope),
                {
                    uuid("job_id", jobId)
                    scope(scope)
                    long("after_run", afterRun)
                    int("limit", limit + 1)
                },
            ) { deadLetter() }
        }.page(limit) { it.runNumber().toString() }
    }

    fun open(scope: Scope, limit: Int, after: String?): Page<DeadLetter> {
        JobQuery.requireLimit(limit)
        val position = after?.let(TimedCursor::read)
        val found = context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped("control/open_dead_letters", scope),
                {
                    scope(scope)
                    instant("after_time", position?.at)
                    uuid("after_id", position?.id)
                    int("limit", limit + 1)
                },
            ) { deadLetter() to instant("finished_at") }
        }
        val page = found.page(limit) { (letter, at) -> TimedCursor(at, letter.jobId()).text() }
        return Page(page.items().map { (letter, _) -> letter }, page.next())
    }
}
