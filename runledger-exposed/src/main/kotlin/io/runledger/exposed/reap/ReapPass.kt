package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.IsolateRefusals
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
    private val isolation = IsolateRefusals()

    /** Reaps with [end], which takes a limit and the only job to consider, or null for all. */
    fun reap(limit: Int, isStep: Boolean, end: (Int, UUID?) -> List<ReapedJob>): List<ReapedJob> =
        isolation.attempt({ end(limit, null) }) {
            val expired = context.transactions.statement { context.expiredJobs(it, limit, isStep) }
            isolation.oneByOne(expired, ::defer) { job -> end(1, job).singleOrNull() }
        }

    /** The result of a pass that ended no job. Throws the refusal if there is one: an empty result would hide it. */
    fun emptyOrRefusal(): List<ReapedJob> {
        isolation.throwIfStuck()
        return emptyList()
    }

    /** Also defers a job with a row that another session holds: the next pass would otherwise find the same jobs first. */
    private fun defer(job: UUID, refusal: RunledgerException): ReapedJob? = isolation.defer(refusal) {
        context.transactions.statement { connection ->
            connection.row(
                context.statements["reap/reap_defer"],
                {
                    uuid("job_id", job)
                    long("delay_us", delay.toMicros())
                },
            ) { reapedJob(ReapedJob.Result.DEFERRED, refusal) }
        }
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
