package io.runledger.coroutines.attempt

import io.runledger.model.error.RunledgerException
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import java.time.Instant

/** How to settle an attempt that has ended. */
internal sealed interface SettleAction {
    data class Settle(val verdict: Verdict) : SettleAction

    /** Releases the job without spending its attempt, because the worker stops. */
    data class Release(val reason: String) : SettleAction

    /** Checks whether the success is already written; if not, continues with [otherwise]. */
    data class Confirm(val otherwise: SettleAction?) : SettleAction
}

/** The result of a settlement. */
internal sealed interface SettleResult {
    /** [refusal] is the reason if the job is a dead letter although its handler succeeded. */
    data class Settled(val result: SettledJob.Result, val nextRunAt: Instant?, val refusal: RunledgerException? = null) :
        SettleResult

    data object Released : SettleResult

    /** Nothing was written: the lease is lost. */
    data object Unwritten : SettleResult
}
