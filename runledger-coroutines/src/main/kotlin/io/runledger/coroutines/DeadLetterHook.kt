package io.runledger.coroutines

import io.runledger.model.job.DeadLetter

/** Receives dead letters, each at least once; see `RunledgerWorker.Builder.onDeadLetter`. For Java: it may block. */
public fun interface DeadLetterHook {
    /**
     * Handles [letter]. A normal return confirms the delivery. If the hook throws, or takes longer than the config's
     * `hookTimeout`, the letter is delivered again later.
     */
    @Throws(Exception::class)
    public fun deliver(letter: DeadLetter)
}
