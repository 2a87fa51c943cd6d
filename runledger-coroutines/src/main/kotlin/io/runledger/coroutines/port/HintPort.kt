package io.runledger.coroutines.port

import io.runledger.exposed.signal.Signal
import io.runledger.exposed.worker.WorkerApi
import io.runledger.exposed.worker.WorkerSignals

/** Notifications of the ledger, as hints to the loops. */
internal interface HintPort {
    /** Whether notifications arrive at this moment. */
    val hasHints: Boolean

    /** Calls [onHint], on any thread and on several at once, until the result is closed. */
    fun subscribe(onHint: (Hint) -> Unit): AutoCloseable
}

@OptIn(WorkerApi::class)
internal class LedgerHints(private val signals: WorkerSignals) : HintPort {
    override val hasHints get() = signals.isListening

    override fun subscribe(onHint: (Hint) -> Unit) = signals.subscribe { signal ->
        when (signal) {
            is Signal.DueJobs -> onHint(Hint.Due(signal.jobType, signal.newJobId))
            is Signal.CanceledJob -> onHint(Hint.Canceled(signal.jobId))
            is Signal.PausedType -> onHint(Hint.PausedType(signal.jobType))
            is Signal.PausedRun -> onHint(Hint.PausedRun(signal.runId))
            is Signal.ChangedOrder -> onHint(Hint.Ordered)
            is Signal.FreedPermits -> onHint(Hint.FreedPermits)
            is Signal.Resumed -> onHint(Hint.Missed)
            is Signal.EndedRun, is Signal.OpenedGate -> Unit
        }
    }
}
