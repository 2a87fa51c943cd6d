package io.runledger.coroutines.run

import io.runledger.coroutines.attempt.AttemptCancellation
import io.runledger.model.handler.JobOutcome

/** The outcome of a handler, and how it was stopped if it was. */
internal class EndedHandler(val outcome: JobOutcome?, cancellation: AttemptCancellation) {
    val stopped = cancellation.stopped
    val stuck = cancellation.stuck
}
