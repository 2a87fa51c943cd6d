package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.json.Payload
import io.runledger.model.lease.Verdict
import java.time.Duration

/**
 * Brings verdicts into the form in which they are stored: all values are JSON within the limits, and a row can hold all delays.
 */
internal class StorableVerdicts(private val context: LedgerContext) {
    /** [of] for many verdicts. Returns the same map if all are storable as they are, as most are. */
    fun of(verdicts: Map<Lease, Verdict>, refusals: MutableMap<Lease, RunledgerException>): Map<Lease, Verdict> {
        var storable: MutableMap<Lease, Verdict>? = null
        verdicts.forEach { (lease, verdict) ->
            val form = of(lease, verdict, refusals)
            if (form !== verdict) (storable ?: LinkedHashMap(verdicts).also { storable = it })[lease] = form
        }
        return storable ?: verdicts
    }

    /**
     * [verdict] in its storable form. If no row can store it, a dead letter, and [refusals] receives the reason: a retry would
     * end the same way, and the other settlements of the batch must not fail with it.
     */
    fun of(lease: Lease, verdict: Verdict, refusals: MutableMap<Lease, RunledgerException>): Verdict = try {
        when (verdict) {
            is Verdict.Succeed -> succeed(lease, verdict)
            is Verdict.Continue -> proceed(lease, verdict)
            is Verdict.Retry -> verdict.also { requireStorable(it.delay(), ErrorCode.INVALID_RETRY_TIMING) }
            is Verdict.Snooze -> verdict.also { requireStorable(it.delay(), ErrorCode.INVALID_DELAY) }
            is Verdict.DeadLetter, is Verdict.Cancel, is Verdict.Release -> verdict
        }
    } catch (mistake: RunledgerException) {
        refusals[lease] = mistake
        deadLetter(mistake)
    }

    private fun succeed(lease: Lease, verdict: Verdict.Succeed): Verdict {
        val output = verdict.output()
        if (output == null && verdict.contributions().isEmpty()) return verdict
        val owner = "job ${lease.jobId()}"
        if (verdict.contributions().isNotEmpty()) {
            context.encoded(
                Payload.of(contribution(verdict, context)),
                owner,
                ValueKind.CONTRIBUTION,
            )
        }
        return Verdict.Succeed(
            output?.let { Payload.of(context.encoded(it, owner, ValueKind.OUTPUT)) },
            verdict.contributions().mapValues { (_, value) ->
                Payload.of(value.encode(context.codec, ErrorCode.INVALID_CONTEXT))
            },
            verdict.progress(),
        )
    }

    private fun proceed(lease: Lease, verdict: Verdict.Continue): Verdict {
        requireStorable(verdict.delay(), ErrorCode.INVALID_CONTINUATION_DELAY)
        if (lease.runNumber() == Int.MAX_VALUE) {
            throw ErrorCode.JOB_STATE.exception(
                "The job has no run numbers left: enqueue a new job instead of continuing this one.",
            )
        }
        return Verdict.Continue(
            verdict.payload()?.let { Payload.of(context.encoded(it, "the next run of ${lease.jobId()}")) },
            verdict.checkpoint()?.let { Payload.of(context.encoded(it, "job ${lease.jobId()}", ValueKind.CHECKPOINT)) },
            verdict.delay(),
            verdict.move(),
            verdict.progress(),
        )
    }

    private fun requireStorable(delay: Duration, code: ErrorCode) {
        if (delay.isNegative || delay > MAX_DELAY) {
            throw code.exception("${code.message()} It is $delay: give a delay from zero to ${MAX_DELAY.toDays()} days.")
        }
    }

    companion object {
        /** The longest delay of a handler. Counted from today it ends within the timestamp range of PostgreSQL. */
        private val MAX_DELAY = Duration.ofDays(106_000_000)

        /** The verdict about a job whose own verdict cannot be stored because of [mistake]. */
        fun deadLetter(mistake: RunledgerException): Verdict = Verdict.DeadLetter(
            JobFailure.terminal(mistake.code().wire(), mistake.message),
            DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
        )
    }
}
