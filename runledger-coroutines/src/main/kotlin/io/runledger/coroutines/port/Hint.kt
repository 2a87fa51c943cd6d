package io.runledger.coroutines.port

import java.util.UUID

/** Something may have happened in the ledger. A hint is only a reason to look at the rows early; it may be missing or wrong. */
internal sealed interface Hint {
    /** A job of [jobType] is due: perhaps the [newJob], and perhaps others too. */
    data class Due(val jobType: String, val newJob: UUID? = null) : Hint

    /** Jobs that waited for a limit or for their turn may be claimed. */
    data object FreedPermits : Hint

    /** A job that a worker holds was canceled. */
    data class Canceled(val jobId: UUID) : Hint

    /** The job type was paused. */
    data class PausedType(val jobType: String) : Hint

    /** The run was paused. */
    data class PausedRun(val runId: UUID) : Hint

    /** An order to workers was given or lifted. */
    data object Ordered : Hint

    /** Hints may have been missed. */
    data object Missed : Hint
}
