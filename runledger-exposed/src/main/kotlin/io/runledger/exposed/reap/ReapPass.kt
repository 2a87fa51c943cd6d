package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.ReapedJob
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/**
 * One reaping: all at once, or, when the database refuses a row or another session holds one that an ending needs, job by job,
 * putting off those that cannot be ended.
 */
internal class ReapPass(private val context: LedgerContext, private val delay: Duration) {
    /** What the jobs suffered that could not even be put off. */
    private var stuck: RunledgerException? = null

    /** Reaps through [end], which takes a limit and the only job to look at, or null for all. */
    fun reap(limit: Int, isStep: Boolean, end: (Int, UUID?) -> List<ReapedJob>): List<ReapedJob> = try {
        end(limit, null)
    } catch (refusal: RunledgerException) {
        if (!refusal.isAboutOne) throw refusal
        context.transactions.statement { context.expiredJobs(it, limit, isStep) }.mapNotNull { job -> reapOne(job, end) }
    }

    /** Answers for a reaping that came to nothing: with the refusal when that is why, so that nobody takes it for peace. */
    fun nothing(): List<ReapedJob> = stuck?.let { throw it } ?: emptyList()

    private fun reapOne(job: UUID, end: (Int, UUID?) -> List<ReapedJob>): ReapedJob? = try {
        end(1, job).singleOrNull()
    } catch (refusal: RunledgerException) {
        if (!refusal.isAboutOne) throw refusal
        defer(job, refusal)
    }

    private val RunledgerException.isAboutOne get() = isAboutARow() || isHeldElsewhere

    private fun defer(job: UUID, refusal: RunledgerException): ReapedJob? = try {
        context.transactions.statement { connection ->
            connection.row(
                context.statements["reap_defer"],
                {
                    uuid(job)
                    long(delay.toMicros())
                },
            ) { reapedJob(ReapedJob.Result.DEFERRED, refusal) }
        }
    } catch (second: RunledgerException) {
        refusal.addSuppressed(second)
        stuck = refusal
        null
    }
}

/** Jobs whose lease ran out, the longest expired first. */
internal fun LedgerContext.expiredJobs(connection: Connection, limit: Int, isStep: Boolean): List<UUID> = connection.rows(
    statements["reap_expired"],
    {
        bool(isStep)
        int(limit)
    },
) { uuid("id") }
