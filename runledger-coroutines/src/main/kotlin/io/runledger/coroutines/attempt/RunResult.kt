package io.runledger.coroutines.attempt

import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.Job

/** The result of one call of a handler. */
internal class RunResult(
    /** The outcome to settle, or null if the handler was stopped before it had one. */
    val outcome: JobOutcome?,
    /** Why it was asked to stop, or null if it ended by itself. */
    val stopped: Cancellation.Reason?,
    /** The handler, if it is still running although it was asked to stop. */
    val stuck: Job?,
)
