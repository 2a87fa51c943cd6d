package io.runledger.exposed.signal

import java.util.UUID

/**
 * A hint that something in the ledger changed. It is sent when the change commits, and it may be late, doubled or lost: the rows
 * are the truth, and whoever hears of a change looks there.
 */
public sealed interface Signal {
    /** Jobs of [jobType] are due now. */
    public data class DueJobs(@get:JvmName("jobType") public val jobType: String) : Signal

    /** The job was canceled while a worker held it. */
    public data class CanceledJob(@get:JvmName("jobId") public val jobId: UUID) : Signal

    /** The run ended. */
    public data class EndedRun(@get:JvmName("runId") public val runId: UUID) : Signal

    /** A gate of the run opened. */
    public data class OpenedGate(@get:JvmName("runId") public val runId: UUID) : Signal

    /** An order to workers was given or lifted. */
    public data class ChangedOrder(@get:JvmName("orderId") public val orderId: UUID) : Signal

    /** From here on signals are heard. Any may have been missed before: look for yourself. */
    public data object Resumed : Signal
}
