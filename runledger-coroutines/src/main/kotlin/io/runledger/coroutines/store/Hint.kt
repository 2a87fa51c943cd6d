package io.runledger.coroutines.store

import java.util.UUID

/** What somebody says has happened. Never the truth, only a reason to look at the rows before their time. */
internal sealed interface Hint {
    /** A job of [jobType] is due. */
    data class Due(val jobType: String) : Hint

    /** A job that some worker holds was called off. */
    data class Canceled(val jobId: UUID) : Hint

    /** An order to workers was given or lifted. */
    data object Ordered : Hint

    /** Hints may have been missed. */
    data object Missed : Hint
}
