package io.runledger.coroutines.loop

import io.runledger.model.error.RunledgerException
import io.runledger.model.policy.Verdict
import io.runledger.model.state.SettledJob
import java.time.Instant

/** How an attempt is to end in the ledger. */
internal sealed interface Ending {
    data class Settled(val verdict: Verdict) : Ending

    /** Unspent, because the worker ends. */
    data class GivenBack(val reason: String) : Ending

    /** Success may stand in the ledger already; [otherwise] if it does not. */
    data class PerhapsWritten(val otherwise: Ending?) : Ending
}

/** What became of an ending. */
internal sealed interface Written {
    /** [refusal] says why the job is a dead letter although its handler meant something else. */
    data class Settled(val result: SettledJob.Result, val nextRunAt: Instant?, val refusal: RunledgerException? = null) : Written

    data object GivenBack : Written

    /** Nothing was written: the lease is lost. */
    data object Unwritten : Written
}
