package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.util.UUID

/**
 * Ends attempts: one statement for all plain successes of jobs of their own, one for their other endings, and a short fixed
 * sequence for all that are steps of workflows, whose runs move on in the same transaction.
 */
internal class SettleJobs(private val context: LedgerContext) {
    private val attempts = EndAttempts(context)
    private val steps = SettleSteps(context, attempts)

    fun settle(requests: List<SettleRequest>): List<SettledJob> {
        if (requests.isEmpty()) return emptyList()
        val endings = requests.distinctBy { it.lease().leaseId() }.map { Ending.of(it, context) }
        val settled = HashMap(if (context.transactions.isJoined) settleTogether(endings) else settleApart(endings))
        // Taken out of the map: a lease ends one attempt, so its second settlement in the same call finds nothing to end.
        return requests.map { settled.remove(it.lease().leaseId()) ?: SettledJob(it.lease(), Result.LOST, null) }
    }

    /** In the caller's transaction: all of it or nothing. */
    private fun settleTogether(endings: List<Ending>): Map<UUID, SettledJob> = context.transactions.run { connection ->
        val own = attempts.end(connection, endings, steps = false)
        own + steps.settleHere(connection, endings.filter { it.lease.leaseId() !in own })
    }

    private fun settleApart(endings: List<Ending>): Map<UUID, SettledJob> {
        val (known, others) = endings.partition { it.isStep }
        val own = settleOwn(others)
        // What is missing is a step's job, or lost.
        val ofSteps = steps.settle(known + others.filter { it.lease.leaseId() !in own })
        // And what was called a step and is missing is none, or lost.
        return own + ofSteps + settleOwn(known.filter { it.lease.leaseId() !in ofSteps })
    }

    private fun settleOwn(endings: List<Ending>): Map<UUID, SettledJob> {
        val (plain, other) = endings.partition { it.isPlainSuccess }
        return settleEach(plain) { part -> context.transactions.statement { attempts.succeed(it, part, steps = false) } } +
            settleEach(other) { part -> context.transactions.statement { attempts.end(it, part, steps = false) } }
    }
}
