package io.runledger.coroutines

import io.runledger.model.state.DeadLetter

/** Is told of jobs that gave up, each at least once; see [RunledgerWorker.Builder.onDeadLetter]. For Java: it may block. */
public fun interface DeadLetterHook {
    /**
     * Takes over what is to be done about [letter]. Returning says that it has arrived; throwing anything, or taking longer
     * than the config's `hookTimeout`, has it handed over again later.
     */
    @Throws(Exception::class)
    public fun deliver(letter: DeadLetter)
}
