package io.runledger.coroutines.loop

import io.runledger.model.spec.PollResult
import io.runledger.model.state.TakenPoll
import java.time.Duration

/** A function that finds what is to be started, and how often it is asked. */
internal class Trigger(val name: String, val every: Duration, val poll: suspend (TakenPoll) -> PollResult)
