package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.json.plainJson
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobFailure
import io.runledger.model.run.NotBefore
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.Lease
import io.runledger.model.state.Progress
import java.time.Duration
import java.time.Instant

/** A settlement as the statement takes it: one value per column. */
internal class Ending private constructor(
    val lease: Lease,
    val verdict: Verdict,
    val progress: Progress,
    /** Whether the job is said to be a step of a workflow. */
    val isStep: Boolean,
    context: LedgerContext,
    /** Why it is a dead letter instead of what was asked for. */
    val mistake: RunledgerException? = null,
) {
    val failure: JobFailure? = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> null
    }

    /** Why: of a dead letter, a cancellation or a snooze. */
    val reason: String? = when (verdict) {
        is Verdict.DeadLetter -> verdict.reason().wire()
        is Verdict.Cancel -> Text.storable(verdict.reason())
        is Verdict.Snooze -> SNOOZED
        else -> null
    }

    /** What programs may want to know: of a failure, or of a machine's move. */
    val details: Json? = failure?.details()?.let { kept(it, context) } ?: (verdict as? Verdict.Continue)?.move()?.let {
        plainJson(mapOf("from_step" to it.from(), "to_step" to it.to()))
    }

    val output: Json? = (verdict as? Verdict.Succeed)?.output()?.let {
        context.encoded(it, "job ${lease.jobId()}", ValueKind.OUTPUT)
    }

    /** What is added to the context of the step's run: an object, or null for nothing. */
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

    /** Whether there is nothing to write but the success and its output. */
    val isPlainSuccess: Boolean get() = verdict is Verdict.Succeed && progress.done() == null && progress.total() == null

    /** The same attempt as the dead letter that [mistake] makes of it. */
    fun refused(context: LedgerContext, mistake: RunledgerException): Ending =
        Ending(lease, parked(mistake), progress, isStep, context, mistake)

    /** A failure is written whatever comes with it: of facts that are too large, the size. */
    private fun kept(details: Json, context: LedgerContext): Json {
        val size = Text.utf8Length(details.text())
        return if (size <= context.limits.factsBytes) details else plainJson(mapOf("omitted_bytes" to size))
    }

    private fun bound(): NotBefore? = (verdict as? Verdict.Retry)?.notBefore()

    private fun storable(delay: Duration, code: ErrorCode): Long {
        if (delay.isNegative || delay > LONGEST) {
            throw code.exception("${code.message()} It is $delay: give a delay from zero to ${LONGEST.toDays()} days.")
        }
        return delay.toMicros()
    }

    companion object {
        private const val SNOOZED = "SNOOZED"

        /** As long as a handler may ask for; from today it ends inside PostgreSQL's range. */
        private val LONGEST = Duration.ofDays(106_000_000)

        /**
         * The settlement [request] asks for, or, when no row could hold that, the dead letter which says so: the same attempt
         * would end the same way again, and its neighbours have nothing to do with it.
         */
        fun of(request: SettleRequest, context: LedgerContext): Ending = try {
            Ending(request.lease(), request.verdict(), request.progress(), request.isStep(), context)
        } catch (mistake: RunledgerException) {
            Ending(request.lease(), parked(mistake), request.progress(), request.isStep(), context, mistake)
        }

        private fun parked(mistake: RunledgerException) = Verdict.DeadLetter(
            JobFailure.terminal(mistake.code().wire(), mistake.message),
            DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
        )
    }
}
