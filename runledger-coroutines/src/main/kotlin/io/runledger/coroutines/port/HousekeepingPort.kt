package io.runledger.coroutines.port

import io.runledger.exposed.Retention
import io.runledger.exposed.worker.WorkerApi
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.lease.ReapedJob
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.retention.PrunedRuns
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.SchedulePass
import java.time.Duration
import java.util.UUID

/** Fires schedules, reaps expired leases, ends expired gates and deletes old rows. */
internal interface HousekeepingPort {
    suspend fun untilNextFire(): Duration?

    suspend fun fire(limit: Int): SchedulePass

    suspend fun reap(limit: Int, retryDelay: Duration): List<ReapedJob>

    /** Whether [expireGates] or [releaseActiveKeys] may have something to do. */
    suspend fun isUpkeepNeeded(): Boolean

    suspend fun expireGates(limit: Int): List<ExpiredGate>

    suspend fun releaseActiveKeys(limit: Int): List<UUID>

    suspend fun prune(request: PruneRequest): PruneReport

    suspend fun pruneRuns(request: PruneRunsRequest): PrunedRuns

    suspend fun pruneFires(age: Duration, limit: Int): Int

    suspend fun prunePolls(age: Duration, limit: Int): Int

    suspend fun pruneWorkers(age: Duration, limit: Int): Int

    suspend fun pruneLimitKeys(age: Duration, limit: Int): Int
}

@OptIn(WorkerApi::class)
internal class LedgerHousekeeping(private val ledger: WorkerLedger, private val retention: Retention, private val lanes: Lanes) :
    HousekeepingPort {
    override suspend fun untilNextFire() = lanes.housekeeping { ledger.schedules.untilNextFire() }

    override suspend fun fire(limit: Int) = lanes.housekeeping { ledger.schedules.fire(limit) }

    override suspend fun reap(limit: Int, retryDelay: Duration) = lanes.reaping { ledger.leases.reap(limit, retryDelay) }

    override suspend fun isUpkeepNeeded() = lanes.housekeeping { ledger.upkeep.isNeeded() }

    override suspend fun expireGates(limit: Int) = lanes.housekeeping { ledger.upkeep.expireGates(limit) }

    override suspend fun releaseActiveKeys(limit: Int) = lanes.housekeeping { ledger.upkeep.releaseActiveKeys(limit) }

    override suspend fun prune(request: PruneRequest) = lanes.housekeeping { retention.prune(request) }

    override suspend fun pruneRuns(request: PruneRunsRequest) = lanes.housekeeping { retention.pruneRuns(request) }

    override suspend fun pruneFires(age: Duration, limit: Int) = lanes.housekeeping { retention.pruneFires(age, limit) }

    override suspend fun prunePolls(age: Duration, limit: Int) = lanes.housekeeping { retention.prunePolls(age, limit) }

    override suspend fun pruneWorkers(age: Duration, limit: Int) = lanes.housekeeping { retention.pruneWorkers(age, limit) }

    override suspend fun pruneLimitKeys(age: Duration, limit: Int) = lanes.housekeeping { retention.pruneLimitKeys(age, limit) }
}
