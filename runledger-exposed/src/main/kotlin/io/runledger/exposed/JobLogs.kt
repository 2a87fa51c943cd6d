package io.runledger.exposed

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.fitting
import io.runledger.exposed.context.page
import io.runledger.exposed.read.jobLogLine
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.update
import io.runledger.model.job.JobLogLine
import io.runledger.model.job.JobQuery
import io.runledger.model.lease.LogRequest
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.util.UUID

/** The log lines of jobs, written by handlers and other code. */
public class JobLogs internal constructor(private val context: LedgerContext) {
    /** Appends one line; see [appendAll]. Returns false if the line is blank or there is no such job. */
    public fun append(line: LogRequest): Boolean = appendAll(listOf(line)) == 1

    /**
     * Appends lines in the given order with one statement and returns their number. Not fenced: an attempt that lost its lease
     * may still write lines. Blank lines, lines of jobs that do not exist and lines beyond the client's `maxLogLines` are
     * skipped; the other lines are written. If the facts of a line are larger than the client's `maxFactsBytes`, throws
     * `job.facts_too_large` and writes nothing.
     */
    public fun appendAll(lines: List<LogRequest>): Int {
        val written = lines.filterNot { it.isBlank }
        if (written.isEmpty()) return 0
        written.forEach { context.fitting(it.payload(), "a log line of job ${it.jobId()}", ValueKind.FACTS) }
        return context.transactions.statement { connection ->
            connection.update(context.statements["logs/log_append"]) {
                uuids("job_ids", written.map { it.jobId() })
                ints("run_numbers", written.map { it.runNumber() })
                ints("attempts", written.map { it.attempt() })
                wires("levels", written.map { it.level() })
                texts("messages", written.map { it.message() })
                jsons("payloads", written.map { it.payload() })
                int("max_lines", context.limits.logLines)
                text("notice", "Further lines of this run are dropped: the limit is ${context.limits.logLines} lines.")
            }
        }
    }

    /**
     * A page of the lines of a job, in the order they were written. Empty if there is no such job. To read the next page, pass
     * [Page.next] as [after]. To follow a job that still writes lines, pass [JobLogLine.cursor] of the last line read. Refused
     * with `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is such a cursor.
     */
    @JvmOverloads
    public fun list(scope: Scope, jobId: UUID, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<JobLogLine> =
        read("logs/log_list", scope, jobId, limit, after?.let(Cursor::number) ?: 0)

    /** A page of the lines of a job, newest first: the next page has older lines. Otherwise as [list]. */
    @JvmOverloads
    public fun newest(scope: Scope, jobId: UUID, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<JobLogLine> =
        read("logs/log_newest", scope, jobId, limit, after?.let(Cursor::number) ?: Long.MAX_VALUE)

    private fun read(statement: String, scope: Scope, jobId: UUID, limit: Int, cursor: Long): Page<JobLogLine> {
        JobQuery.requireLimit(limit)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped(statement, scope),
                {
                    uuid("job_id", jobId)
                    long("cursor", cursor)
                    scope(scope)
                    int("limit", limit + 1)
                },
            ) { jobLogLine() }
        }.page(limit) { it.cursor() }
    }
}
