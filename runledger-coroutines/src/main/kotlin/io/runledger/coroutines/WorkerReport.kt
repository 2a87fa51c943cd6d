package io.runledger.coroutines

import io.runledger.model.fleet.WorkerOrder
import java.util.UUID

/** The results of a worker's run, from its start until it ended. */
public class WorkerReport internal constructor(
    /** The worker's id. */
    @get:JvmName("workerId") public val workerId: String,
    /** How many attempts were settled, with any result. */
    @get:JvmName("finished") public val finished: Long,
    /** How many jobs were released without spending the attempt because the worker stopped. */
    @get:JvmName("released") public val released: Long,
    /** How many attempts lost their lease, were canceled, or could not be settled in time. */
    @get:JvmName("lost") public val lost: Long,
    /**
     * Jobs whose handlers did not stop in time, or that could not be settled before the deadline. Their leases expire, and a
     * reaper makes them available to other workers.
     */
    @get:JvmName("abandoned") public val abandoned: List<UUID>,
    /** The order that stopped the worker; null if its own process stopped it. */
    @get:JvmName("stopOrder") public val stopOrder: WorkerOrder?,
) {
    /** The sum of this report and [next], the report of the worker that followed. */
    @JvmSynthetic
    internal fun followedBy(next: WorkerReport): WorkerReport = WorkerReport(
        next.workerId,
        finished + next.finished,
        released + next.released,
        lost + next.lost,
        abandoned + next.abandoned,
        next.stopOrder ?: stopOrder,
    )

    override fun toString(): String =
        "$workerId: $finished finished, $released released, $lost lost, ${abandoned.size} abandoned" +
            stopOrder?.let { ", stopped by ${it.orderedBy()}: ${it.reason()}" }.orEmpty()
}
