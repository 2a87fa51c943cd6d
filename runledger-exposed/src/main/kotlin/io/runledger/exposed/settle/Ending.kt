package io.runledger.exposed.settle

import io.runledger.exposed.intake.toMicros
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobFailure
import io.runledger.model.run.NotBefore
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.Lease
import io.runledger.model.state.Progress
import java.time.Duration
import java.time.Instant

/** A settlement as the statement takes it: one value per column. */
internal class Ending(request: SettleRequest, codec: PayloadCodec) {
    val lease: Lease = request.lease()
    val verdict: Verdict = request.verdict()
    val progress: Progress = request.progress()

    val failure: JobFailure? = when (verdict) {
        is Verdict.Retry -> verdict.failure()
        is Verdict.DeadLetter -> verdict.failure()
        else -> null
    }

    /** Why: of a dead letter, a cancellation or a snooze. */
    val reason: String? = when (verdict) {
        is Verdict.DeadLetter -> verdict.reason().wire()
        is Verdict.Cancel -> verdict.reason()
        is Verdict.Snooze -> SNOOZED
        else -> null
    }

    val output: Json? = (verdict as? Verdict.Succeed)?.output()?.encode(codec, ErrorCode.INVALID_OUTPUT)
    val payload: Json? = (verdict as? Verdict.Continue)?.payload()?.encode(codec)
    val checkpoint: Json? = (verdict as? Verdict.Continue)?.checkpoint()?.encode(codec, ErrorCode.INVALID_CHECKPOINT)

    val delayMicros: Long? = delay()?.toMicros()
    val notBeforeMicros: Long? = bound()?.after()?.toMicros()
    val notBefore: Instant? = bound()?.at()

    private fun delay(): Duration? = when (verdict) {
        is Verdict.Retry -> verdict.delay()
        is Verdict.Continue -> verdict.delay()
        is Verdict.Snooze -> verdict.delay()
        else -> null
    }

    private fun bound(): NotBefore? = (verdict as? Verdict.Retry)?.notBefore()

    private companion object {
        const val SNOOZED = "SNOOZED"
    }
}
