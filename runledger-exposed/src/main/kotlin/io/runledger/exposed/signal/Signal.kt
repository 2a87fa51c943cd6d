package io.runledger.exposed.signal

import java.util.UUID

/**
 * A hint that something in the ledger changed. It is sent when the change commits. It may be late, duplicated or lost, so a
 * subscriber reads the rows to learn the current state.
 */
public sealed interface Signal {
    /** Jobs of [jobType] are due now. */
    public data class DueJobs(@get:JvmName("jobType") public val jobType: String) : Signal {
        /** The job, if a single new one was enqueued. Further jobs may be due, for which no signal was sent. Not compared. */
        @get:JvmName("newJobId")
        public var newJobId: UUID? = null
            private set

        internal constructor(newJobId: UUID, jobType: String) : this(jobType) {
            this.newJobId = newJobId
        }
    }

    /** The job was canceled while a worker held it. */
    public data class CanceledJob(@get:JvmName("jobId") public val jobId: UUID) : Signal

    /** The job type was paused. */
    public data class PausedType(@get:JvmName("jobType") public val jobType: String) : Signal

    /** The run was paused. */
    public data class PausedRun(@get:JvmName("runId") public val runId: UUID) : Signal

    /** The run ended. */
    public data class EndedRun(@get:JvmName("runId") public val runId: UUID) : Signal

    /** A gate of the run opened. */
    public data class OpenedGate(@get:JvmName("runId") public val runId: UUID) : Signal

    /** An order to workers was given or lifted. */
    public data class ChangedOrder(@get:JvmName("orderId") public val orderId: UUID) : Signal

    /** A job with limits or an order has ended, or a limit was changed: jobs that waited for it may be claimed. */
    public data object FreedPermits : Signal

    /** The listener is active from now on. Earlier signals may be lost: read the current state. */
    public data object Resumed : Signal
}
