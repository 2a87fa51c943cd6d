package io.runledger.exposed.read

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.model.spec.JobQuery
import io.runledger.model.state.JobSummary
import io.runledger.model.state.Page
import io.runledger.model.state.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** Lists jobs page by page, newest first. A page begins below the last id of the one before: none costs more than the first. */
internal class ListJobs(private val context: LedgerContext) {
    fun list(scope: Scope, query: JobQuery): Page<JobSummary> {
        val filters = filters(query)
        val sql = context.statements.scoped("job_list", scope).replace("{filters}", filters.joinToString("") { "AND ${it.sql} " })
        val found = context.transactions.statement { connection ->
            connection.rows(
                sql,
                {
                    scope(scope)
                    filters.forEach { it.bind(this) }
                    // One more than asked for: whether it comes is whether there is a next page.
                    int(query.limit() + 1)
                },
            ) { jobSummary() }
        }
        val items = found.take(query.limit())
        return Page(items, if (found.size > items.size) Cursor.after(items.last().id()) else null)
    }

    private fun filters(query: JobQuery): List<Filter> = buildList {
        val statuses = query.statuses()
        if (statuses.size == 1) add(Filter("q.status = '${statuses.single().wire()}'"))
        if (statuses.size > 1) add(Filter("q.status IN (${statuses.sorted().joinToString { "'${it.wire()}'" }})"))
        if (query.jobTypes().size == 1) add(Filter("q.job_type = ?") { text(query.jobTypes().single()) })
        if (query.jobTypes().size > 1) add(Filter("q.job_type = ANY (?::text[])") { texts(query.jobTypes().sorted()) })
        query.payload()?.let { add(Filter("q.payload @> ?::jsonb") { json(it) }) }
        query.createdSince()?.coerceIn(EARLIEST, LATEST)?.let { since ->
            add(Filter("q.created_at >= ?") { instant(since) })
            add(Filter("q.id >= ?") { uuid(firstIdOf(since - ID_CLOCK_SLACK)) })
        }
        query.createdBefore()?.coerceIn(EARLIEST, LATEST)?.let { before ->
            add(Filter("q.created_at < ?") { instant(before) })
            add(Filter("q.id < ?") { uuid(firstIdOf(before + ID_CLOCK_SLACK)) })
        }
        query.cursor()?.let { cursor ->
            val last = Cursor.read(cursor)
            add(Filter("q.id < ?") { uuid(last) })
        }
    }

    private class Filter(val sql: String, val bind: Binder.() -> Unit = {})

    private companion object {
        /**
         * An id begins with the time at which its service made it. Its clock may differ from the database's, which decides;
         * but not by more than this, so that ids bound how far a list by time has to be read.
         */
        val ID_CLOCK_SLACK: Duration = Duration.ofDays(1)
        const val RANDOM_BITS = 16

        // What the database and an id can say; no job is older or younger.
        val EARLIEST: Instant = Instant.EPOCH
        val LATEST: Instant = Instant.parse("9999-12-31T23:59:59Z")

        fun firstIdOf(instant: Instant): UUID = UUID(instant.toEpochMilli().coerceAtLeast(0) shl RANDOM_BITS, 0)
    }
}
