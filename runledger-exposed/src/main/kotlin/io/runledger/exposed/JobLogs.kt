package io.runledger.exposed

import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.fitting
import io.runledger.exposed.read.jobLogLine
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.scope
import io.runledger.exposed.sql.scoped
import io.runledger.exposed.sql.update
import io.runledger.model.error.ErrorCode
import io.runledger.model.run.LogRequest
import io.runledger.model.spec.JobQuery
import io.runledger.model.state.JobLogLine
import io.runledger.model.state.Scope
import java.util.UUID

/** What handlers, and whoever else, had to say about jobs. */
public class JobLogs internal constructor(private val context: LedgerContext) {
    /** Appends one line; see [appendAll]. False when it was blank or there is no such job. */
    public fun append(line: LogRequest): Boolean = appendAll(listOf(line)) == 1

    /**
     * Appends lines, in their order and in one statement, and answers how many. Not fenced: an attempt that lost its lease may
     * still say what it did. Blank lines, lines of jobs that do not exist and lines beyond the client's `maxLogLines` are left
     * out; they do not keep the others from being written. Refused with `job.facts_too_large`, and nothing written, when the
     * facts beside a line are larger than the client's `maxFactsBytes`.
     */
    public fun appendAll(lines: List<LogRequest>): Int {
        val written = lines.filterNot { it.isBlank }
        if (written.isEmpty()) return 0
        written.forEach { context.fitting(it.payload(), "a log line of job ${it.jobId()}", ValueKind.FACTS) }
        return context.transactions.statement { connection ->
            connection.update(context.statements["log_append"]) {
                uuids(written.map { it.jobId() })
                ints(written.map { it.runNumber() })
                ints(written.map { it.attempt() })
                wires(written.map { it.level() })
                texts(written.map { it.message() })
                jsons(written.map { it.payload() })
                int(context.limits.logLines)
                text("Further lines of this run are left out: it has its ${context.limits.logLines}.")
            }
        }
    }

    /**
     * A job's lines in the order they were written, after the line with id [after]; empty when there are no more and when there
     * is no such job in the scope. Refused with `job.invalid_pagination` unless [limit] is 1 to 1000.
     */
    @JvmOverloads
    public fun list(scope: Scope, jobId: UUID, after: Long = 0, limit: Int = JobQuery.MAX_LIMIT): List<JobLogLine> =
        read("log_list", scope, jobId, after, limit)

    /** A job's lines, the newest first, before the line with id [before]; otherwise as [list]. */
    @JvmOverloads
    public fun newest(
        scope: Scope,
        jobId: UUID,
        before: Long = Long.MAX_VALUE,
        limit: Int = JobQuery.MAX_LIMIT,
    ): List<JobLogLine> = read("log_newest", scope, jobId, before, limit)

    private fun read(statement: String, scope: Scope, jobId: UUID, cursor: Long, limit: Int): List<JobLogLine> {
        JobQuery.requireLimit(limit)
        if (cursor < 0) {
            throw ErrorCode.INVALID_PAGINATION.exception("The line id is $cursor: leave it out, or give that of a line.")
        }
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements.scoped(statement, scope),
                {
                    uuid(jobId)
                    long(cursor)
                    scope(scope)
                    int(limit)
                },
            ) { jobLogLine() }
        }
    }
}
