package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.NotBefore
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.lease.SettleRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.text.Text
import java.time.Duration
import java.time.Instant

/** A settlement in the form that the statement takes: one value per column. */
internal class AttemptEnding private constructor(
    val lease: Lease,
    val verdict: Verdict,
    val progress: Progress,
    /** Whether the request describes the job as a workflow step. The stored row decides. */
    val isStep: Boolean,
    context: LedgerContext,
    /** The reason why the requested verdict was replaced by a dead letter; null if it was not. */
    val mistake: RunledgerException? = null,
) {
    val failure: JobFailure? = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> null
    }

    /** The reason of a dead letter, a cancellation or a snooze. */
    val reason: String? = when (verdict) {
        is Verdict.DeadLetter -> verdict.reason().wire()
        is Verdict.Cancel -> Text.storable(verdict.reason())
        is Verdict.Snooze -> SNOOZED
        else -> null
    }

    /** Details for programs: of a failure, or of the transition of a state machine. */
    val details: Json? = failure?.details()?.let { limited(it, context) } ?: (verdict as? Verdict.Continue)?.move()?.let {
        plainJson(mapOf("from_step" to it.from(), "to_step" to it.to()))
    }

    val output: Json? = (verdict as? Verdict.Succeed)?.output()?.let {
        context.encoded(it, "job ${lease.jobId()}", ValueKind.OUTPUT)
    }

    /** The object to add to the context of the step's run, or null. */
    val contribution: Json? = (verdict as? Verdict.Succeed)?.contributions()?.takeIf { it.isNotEmpty() }?.let {
        contribution(it, lease.jobId(), context)
    }
    val payload: Json? = (verdict as? Verdict.Continue)?.payload()?.let {
        context.encoded(it, "the next run of ${lease.jobId()}")
    }
    val checkpoint: Json? = (verdict as? Verdict.Continue)?.checkpoint()?.let {
        context.encoded(it, "job ${lease.jobId()}", ValueKind.CHECKPOINT)
    }

    val delayMicros: Long? = when (verdict) {
        is Verdict.Retry -> storable(verdict.delay(), ErrorCode.INVALID_RETRY_TIMING)
        is Verdict.Continue -> storable(verdict.delay(), ErrorCode.INVALID_CONTINUATION_DELAY)
        is Verdict.Snooze -> storable(verdict.delay(), ErrorCode.INVALID_DELAY)
        else -> null
    }
    val notBeforeMicros: Long? = bound()?.after()?.toMicros()
    val notBefore: Instant? = bound()?.at() ?: (verdict as? Verdict.Snooze)?.until()

    val contributedNames: Set<String> get() = (verdict as? Verdict.Succeed)?.contributions()?.keys.orEmpty()

    /** Whether only the success and its output are to be written. */
    val isPlainSuccess: Boolean get() = verdict is Verdict.Succeed && progress.done() == null && progress.total() == null

    /** The same attempt, ended as a dead letter because of [mistake]. */
    fun refused(context: LedgerContext, mistake: RunledgerException): AttemptEnding =
        AttemptEnding(lease, deadLetter(mistake), progress, isStep, context, mistake)

    /** A failure is always written. If its details are too large, their size replaces them. */
    private fun limited(details: Json, context: LedgerContext): Json {
        val size = Text.utf8Length(details.text())
        return if (size <= context.limits.factsBytes) details else plainJson(mapOf("omitted_bytes" to size))
    }

    private fun bound(): NotBefore? = (verdict as? Verdict.Retry)?.notBefore()

    private fun storable(delay: Duration, code: ErrorCode): Long {
        if (delay.isNegative || delay > MAX_DELAY) {
            throw code.exception("${code.message()} It is $delay: give a delay from zero to ${MAX_DELAY.toDays()} days.")
        }
        return delay.toMicros()
    }

    companion object {
        private const val SNOOZED = "SNOOZED"

        /** The longest delay of a handler. Counted from today it ends within the timestamp range of PostgreSQL. */
        private val MAX_DELAY = Duration.ofDays(106_000_000)

        /**
         * The settlement of [request]. If no row can store it, a dead letter with the reason: a retry would end the same way, and
         * the other settlements of the batch must not fail with it.
         */
        fun of(request: SettleRequest, context: LedgerContext): AttemptEnding = try {
            AttemptEnding(request.lease(), request.verdict(), request.progress(), request.isStep(), context)
        } catch (mistake: RunledgerException) {
            AttemptEnding(request.lease(), deadLetter(mistake), request.progress(), request.isStep(), context, mistake)
        }

        private fun deadLetter(mistake: RunledgerException) = Verdict.DeadLetter(
            JobFailure.terminal(mistake.code().wire(), mistake.message),
            DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
        )
    }
}
