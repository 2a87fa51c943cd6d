package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.RunledgerException
import io.runledger.model.lease.ReapedJob
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/**
 * One pass of the reaper. It ends all jobs at once. If the database refuses a row, or another session holds one, it ends each job
 * on its own and postpones those that cannot be ended.
 */
internal class ReapPass(private val context: LedgerContext, private val delay: Duration) {
    /** The refusal of a job that could not be postponed either. */
    private var stuck: RunledgerException? = null

    /** Reaps with [end], which takes a limit and the only job to consider, or null for all. */
    fun reap(limit: Int, isStep: Boolean, end: (Int, UUID?) -> List<ReapedJob>): List<ReapedJob> = try {
        end(limit, null)
    } catch (refusal: RunledgerException) {
        if (!refusal.isAboutOne) throw refusal
        context.transactions.statement { context.expiredJobs(it, limit, isStep) }.mapNotNull { job -> reapOne(job, end) }
    }

    /** The result of a pass that ended no job. Throws the refusal if there is one: an empty result would hide it. */
    fun emptyOrRefusal(): List<ReapedJob> = stuck?.let { throw it } ?: emptyList()

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
                context.statements["reap/reap_defer"],
                {
                    uuid("job_id", job)
                    long("delay_us", delay.toMicros())
                },
            ) { reapedJob(ReapedJob.Result.DEFERRED, refusal) }
        }
    } catch (second: RunledgerException) {
        refusal.addSuppressed(second)
        stuck = refusal
        null
    }
}

/** Jobs whose lease has expired, the longest expired first. */
internal fun LedgerContext.expiredJobs(connection: Connection, limit: Int, isStep: Boolean): List<UUID> = connection.rows(
    statements["reap/reap_expired"],
    {
        bool("is_step", isStep)
        int("limit", limit)
    },
) { uuid("id") }
