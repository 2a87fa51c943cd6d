package io.runledger.coroutines.port

import io.runledger.exposed.signal.Signal
import io.runledger.exposed.signal.Signals

/** Notifications of the ledger, as hints to the loops. */
internal interface HintPort {
    /** Whether notifications arrive at this moment. */
    val hasHints: Boolean

    /** Calls [onHint], on any thread, until the result is closed. */
    fun subscribe(onHint: (Hint) -> Unit): AutoCloseable
}

internal class LedgerHints(private val signals: Signals) : HintPort {
    override val hasHints get() = signals.isListening

    override fun subscribe(onHint: (Hint) -> Unit) = signals.subscribe { signal ->
        when (signal) {
            is Signal.DueJobs -> onHint(Hint.Due(signal.jobType))
            is Signal.CanceledJob -> onHint(Hint.Canceled(signal.jobId))
            is Signal.PausedType -> onHint(Hint.PausedType(signal.jobType))
            is Signal.PausedRun -> onHint(Hint.PausedRun(signal.runId))
            is Signal.ChangedOrder -> onHint(Hint.Ordered)
            is Signal.Resumed -> onHint(Hint.Missed)
            is Signal.EndedRun, is Signal.OpenedGate -> Unit
        }
    }
}
