package io.runledger.coroutines.port

import io.runledger.exposed.worker.FleetMembership
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import java.time.Instant
import java.util.UUID

/** Keeps the worker on the list of workers. */
internal interface FleetPort {
    suspend fun enterFleet(card: WorkerCard, since: Instant?): Instant

    suspend fun beat(id: UUID, state: WorkerState, busySlots: Int, heldJobs: Int): BeatAnswer?

    suspend fun leaveFleet(id: UUID)
}

@OptIn(WorkerApi::class)
internal class LedgerFleet(private val ledger: FleetMembership, private val lanes: Lanes) : FleetPort {
    override suspend fun enterFleet(card: WorkerCard, since: Instant?) = lanes.fleet { ledger.enter(card, since) }

    override suspend fun beat(id: UUID, state: WorkerState, busySlots: Int, heldJobs: Int) =
        lanes.fleet { ledger.beat(id, state, busySlots, heldJobs) }

    override suspend fun leaveFleet(id: UUID) {
        lanes.fleet { ledger.leave(id) }
    }
}
