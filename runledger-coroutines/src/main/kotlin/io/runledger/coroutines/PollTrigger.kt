package io.runledger.coroutines

import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll

/** Polls a source for work to start; see `RunledgerWorker.Builder.trigger`. For Java: it may block. */
public fun interface PollTrigger {
    /**
     * Returns the work to start: `PollResult.fire(key, …)` or `PollResult.skip()`. If the function throws, or takes longer than
     * the config's `triggerTimeout`, nothing is started and the failure is recorded in the trigger's history. The next poll
     * follows at its usual time.
     */
    @Throws(Exception::class)
    public fun poll(poll: TakenPoll): PollResult
}
