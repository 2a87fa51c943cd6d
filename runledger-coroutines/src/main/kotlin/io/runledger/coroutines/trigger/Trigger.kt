package io.runledger.coroutines.trigger

import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll
import java.time.Duration

/** A function that returns the work to start, and the interval at which it is called. */
internal class Trigger(val name: String, val every: Duration, val poll: suspend (TakenPoll) -> PollResult)
