package io.runledger.exposed.read

import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.AwaitedJob
import io.runledger.model.history.JobReason.Code
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.text.Text
import java.time.Instant

/** What the limits, the order and the shares of a due job wait for. */
internal class FlowState(val limits: List<StoppedLimit>, val order: HeldOrder?, val shares: OtherShares?) {
    /** Whether no claim takes the job now, however many workers are free. */
    val isStopped: Boolean get() = limits.isNotEmpty() || order != null
}

/**
 * The limit of [key] lets no job begin: its permits are all in use, or its rate is spent until [beginAt]. With 0 [permits], these
 * are its permits since [changedAt]. [holders] are running jobs of the key in the caller's scope, not all if there are many.
 */
internal class StoppedLimit(
    val key: String,
    val permits: Int?,
    val isReached: Boolean,
    val inUse: Long,
    val beginAt: Instant?,
    val changedAt: Instant?,
    val changedBy: String?,
    val holders: List<AwaitedJob>,
) {
    fun heldBy(holders: List<AwaitedJob>) = StoppedLimit(key, permits, isReached, inUse, beginAt, changedAt, changedBy, holders)

    val isQueue: Boolean get() = key.startsWith(QUEUE)

    val name: String
        get() = if (isQueue) {
            "queue ${Text.quoted(key.removePrefix(QUEUE))}"
        } else {
            val name = "limit ${Text.quoted(key.substringBefore(':'))}"
            if (':' in key) "$name for key ${Text.quoted(key.substringAfter(':'))}" else name
        }

    private companion object {
        const val QUEUE = "queue:"
    }
}

/**
 * A job comes first in the order of [key]: it has [status] and is due at [dueAt], null if it is due. [first] is null if the job
 * is outside the caller's scope. [jobsAhead] of the scope have places before the explained job; [isComplete] as in [Queue].
 */
internal class HeldOrder(
    val key: String,
    val jobsAhead: Int,
    val isComplete: Boolean,
    val status: JobStatus,
    val dueAt: Instant?,
    val isRetry: Boolean,
    val isPaused: Boolean,
    val first: AwaitedJob?,
)

/** The number of other shares with due jobs in the caller's scope, and whether it is complete or covers [MOST_SEEN] shares. */
internal class OtherShares(val count: Int, val isComplete: Boolean) {
    companion object {
        const val MOST_SEEN = 100
    }
}

/** The reasons why no claim takes a due job with limits, an order or a share now. */
internal object FlowReasons {
    fun of(job: Job, flow: FlowState): List<JobReason> = buildList {
        flow.limits.forEach { addAll(limit(it)) }
        flow.order?.let { add(order(it)) }
        if (!flow.isStopped) flow.shares?.takeIf { it.count > 0 }?.let { add(shares(job, it)) }
    }

    private fun limit(limit: StoppedLimit): List<JobReason> = listOfNotNull(
        when {
            limit.permits == 0 -> paused(limit)
            limit.isReached -> reached(limit)
            else -> null
        },
        limit.beginAt?.takeIf { limit.permits != 0 }?.let { spent(limit, it) },
    )

    private fun paused(limit: StoppedLimit): JobReason {
        val by = limit.changedBy?.let { " by ${Text.quoted(it)}" }.orEmpty()
        val since = limit.changedAt?.let { " since $it$by" }.orEmpty()
        return if (limit.isQueue) {
            val sentence = "The ${limit.name} is paused$since: resume the queue."
            JobReason(Code.QUEUE_PAUSED, sentence, limit.changedAt, limit.holders)
        } else {
            val sentence = "The ${limit.name} has 0 permits$since: give it permits."
            JobReason(Code.LIMIT_PAUSED, sentence, limit.changedAt, limit.holders)
        }
    }

    private fun reached(limit: StoppedLimit): JobReason {
        val permits = if (limit.permits == 1) "The permit" else "All ${limit.permits} permits"
        val others = limit.inUse - limit.holders.size
        val users = limit.holders.map(::described) + listOfNotNull(
            when {
                others <= 0 -> null
                limit.holders.isEmpty() -> "jobs outside this scope".takeIf { others > 1 } ?: "a job outside this scope"
                else -> "others"
            },
        )
        val verb = if (limit.permits == 1) "is" else "are"
        val sentence = "$permits of the ${limit.name} $verb in use: ${users.joinToString("; ")}."
        return JobReason(Code.LIMIT_REACHED, sentence, null, limit.holders)
    }

    private fun spent(limit: StoppedLimit, beginAt: Instant): JobReason {
        val sentence = "The rate of the ${limit.name} is spent: the next job may begin at $beginAt."
        return JobReason(Code.RATE_SPENT, sentence, beginAt)
    }

    private fun order(order: HeldOrder): JobReason {
        val first = order.first?.let { "job ${it.id()}" } ?: "a job outside this scope"
        val at = order.dueAt?.takeIf { order.status == JobStatus.PENDING }
        val state = when {
            order.status == JobStatus.LEASED -> order.first?.let(::running) ?: "runs"
            order.status == JobStatus.DEAD_LETTERED -> "is a dead letter: requeue it, replay it or delete it"
            order.isPaused -> "is paused with its run"
            at != null && order.isRetry -> "waits for its retry at $at"
            at != null -> "is not due before $at"
            else -> "waits itself"
        }
        val count = if (order.isComplete) "${order.jobsAhead}" else "at least ${order.jobsAhead}"
        val ahead = if (order.jobsAhead > 1) " In the order, $count jobs are before this job." else ""
        val sentence = "The order ${Text.quoted(order.key)} waits for $first, which $state.$ahead"
        return JobReason(Code.ORDER_HELD, sentence, at ?: order.first?.leaseExpiresAt(), listOfNotNull(order.first))
    }

    private fun shares(job: Job, shares: OtherShares): JobReason {
        val count = if (shares.isComplete) "${shares.count}" else "At least ${shares.count}"
        val (noun, verb) = if (shares.count == 1) "share" to "takes" else "shares" to "take"
        val share = Text.quoted(checkNotNull(job.flow().shareKey()))
        val sentence = "$count other $noun of type ${Text.quoted(job.jobType())} $verb turns with share $share of the job."
        return JobReason(Code.SHARES_TAKE_TURNS, sentence, null)
    }

    private fun described(job: AwaitedJob) = "job ${job.id()} ${running(job)}"

    private fun running(job: AwaitedJob) =
        "runs on worker ${Text.quoted(job.workerId().orEmpty())} with a lease until ${job.leaseExpiresAt()}"
}
