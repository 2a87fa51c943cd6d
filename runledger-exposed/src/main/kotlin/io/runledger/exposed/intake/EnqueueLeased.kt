package io.runledger.exposed.intake

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.start.ClaimAnswer
import io.runledger.exposed.start.ReservedSlot
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import java.util.UUID

/**
 * Enqueues a due job together with the lease of a worker in the same process that has a free slot. The job needs no claim and no
 * notification.
 */
internal class EnqueueLeased(private val context: LedgerContext) {
    /**
     * Returns null if the job was not enqueued: it is not due at once, it or its type has a flow, the transaction is the
     * caller's, no worker has a slot, or the statement did not insert it.
     */
    fun enqueue(job: NewJob): EnqueuedJob? {
        if (!mayStart(job) || context.transactions.isJoined) return null
        val slot = context.starters.reserve(job.request.jobType()) ?: return null
        val lease = Lease(job.id, FIRST, FIRST, slot.workerId(), UUID.randomUUID(), false)
        val answer = try {
            insert(job, slot, lease)
        } catch (refused: RunledgerException) {
            // Without an answer of the database, the job may be there.
            if (refused.category() == ErrorCategory.UNAVAILABLE) slot.unconfirmed(lease) else slot.leave()
            throw refused
        } catch (failure: Throwable) {
            slot.unconfirmed(lease)
            throw failure
        }
        when {
            answer == null || answer.size == 0 -> slot.leave()

            // A claim will end the job, because its row cannot be read.
            answer.jobs.isEmpty() -> slot.unconfirmed(lease)

            else -> slot.start(answer.jobs.single())
        }
        return answer?.let { job.inserted(if (it.size == 0) JobStatus.PENDING else JobStatus.LEASED) }
    }

    /** Whether the job is due at once and waits for no limit and no order of its own. */
    private fun mayStart(job: NewJob): Boolean = job.isDueAtOnce && job.request.runAt() == null && job.settings.flow == null

    /** Null if the job was not inserted. An answer without a job means that it was inserted and not leased. */
    private fun insert(job: NewJob, slot: ReservedSlot, lease: Lease): ClaimAnswer? =
        context.transactions.statement { connection ->
            val bind: Binder.() -> Unit = {
                newJob(job)
                uuid("lease_id", lease.leaseId())
                text("worker", slot.workerId())
                int("lease_seconds", slot.lease().toSeconds().toInt())
            }
            connection.row(context.statements["intake/enqueue_leased"], bind) {
                ClaimAnswer(slot.workerId()).also { if (uuidOrNull("lease_id") != null) it.add(this, ClaimAnswer.Columns(this)) }
            }
        }

    private companion object {
        /** A new job begins with its first run and its first attempt. */
        const val FIRST = 1
    }
}
