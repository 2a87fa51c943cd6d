package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.fleet.WorkerList
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import java.time.Instant
import java.util.UUID

/** The entry of a worker in the list of workers. */
@WorkerApi
public class FleetMembership internal constructor(context: LedgerContext) {
    private val workerList = WorkerList(context)

    /**
     * Adds a worker to the list, and returns since when it runs by the database's clock. Repeating the call changes nothing.
     * Orders to the worker are only known from a [beat] after this call.
     *
     * A worker that retention has removed from the list passes the first call's result as [since]: orders to stop that were given
     * since then still apply to it.
     */
    @JvmOverloads
    public fun enter(card: WorkerCard, since: Instant? = null): Instant = workerList.enter(card, since)

    /**
     * Records that the worker is alive, its state and its number of running jobs, and returns the orders to it. Null if the
     * worker is not on the list, because it has left or retention has removed it.
     */
    @JvmOverloads
    public fun beat(id: UUID, state: WorkerState, busySlots: Int, heldJobs: Int = 0): BeatAnswer? =
        workerList.beat(id, state, busySlots, heldJobs)

    /** Removes a worker from the list. False if it was not on the list. */
    public fun leave(id: UUID): Boolean = workerList.leave(id)
}
