package io.runledger.coroutines

import io.runledger.model.spec.PollResult
import io.runledger.model.state.TakenPoll

/** Finds what is to be started; see [RunledgerWorker.Builder.trigger]. For Java: it may block. */
public fun interface PollTrigger {
    /**
     * Looks, and says what it found: `PollResult.fire(key, …)` or `PollResult.skip()`. Throwing anything, or taking longer than
     * the config's `triggerTimeout`, starts nothing and is told in the trigger's history; the next poll comes in its time.
     */
    @Throws(Exception::class)
    public fun poll(poll: TakenPoll): PollResult
}
