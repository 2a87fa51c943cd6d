package io.runledger.coroutines.run

import io.runledger.model.run.Cancellation
import io.runledger.model.run.JobOutcome
import kotlinx.coroutines.Job

/** How a handler came to its end. */
internal class RunResult(
    /** What to write, or null when the handler was stopped before it had an outcome that counts. */
    val outcome: JobOutcome?,
    /** Why it was asked to stop, or null when it ended by itself. */
    val stopped: Cancellation.Reason?,
    /** The handler, if it goes on although it was asked to stop. */
    val stuck: Job?,
)
