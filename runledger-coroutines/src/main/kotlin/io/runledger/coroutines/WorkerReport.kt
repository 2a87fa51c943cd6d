package io.runledger.coroutines

import io.runledger.model.state.WorkerOrder
import java.util.UUID

/** What a worker did until it ended, and what it left behind. */
public class WorkerReport internal constructor(
    /** Who. */
    @get:JvmName("workerId") public val workerId: String,
    /** How many attempts ended and were written, however they ended. */
    @get:JvmName("finished") public val finished: Long,
    /** How many jobs were given back unspent because the worker ended. */
    @get:JvmName("givenBack") public val givenBack: Long,
    /** How many attempts lost their lease, were called off, or could not be written in time. */
    @get:JvmName("lost") public val lost: Long,
    /**
     * Jobs whose handlers did not stop in time, or whose ending could not be written before the deadline. Their leases run
     * out, and some reaper hands them on.
     */
    @get:JvmName("abandoned") public val abandoned: List<UUID>,
    /** The order by which it ended; null when its own process told it to. */
    @get:JvmName("stopOrder") public val stopOrder: WorkerOrder?,
) {
    /** What it did, and then [next] in its place. */
    @JvmSynthetic
    internal fun followedBy(next: WorkerReport): WorkerReport = WorkerReport(
        next.workerId,
        finished + next.finished,
        givenBack + next.givenBack,
        lost + next.lost,
        abandoned + next.abandoned,
        next.stopOrder ?: stopOrder,
    )

    override fun toString(): String =
        "$workerId: $finished finished, $givenBack given back, $lost lost, ${abandoned.size} abandoned" +
            stopOrder?.let { ", stopped by ${it.orderedBy()}: ${it.reason()}" }.orEmpty()
}
