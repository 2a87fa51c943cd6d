package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.workflow.ActiveKeys
import io.runledger.exposed.workflow.ExpireGates
import io.runledger.model.run.ExpiredGate
import java.util.UUID

/** The housekeeping of workflow runs. */
@WorkerApi
public class RunUpkeep internal constructor(context: LedgerContext) {
    private val gates = ExpireGates(context)
    private val activeKeys = ActiveKeys(context)

    /** Whether [expireGates] or [releaseActiveKeys] may have something to do. Cheaper than either. */
    public fun isNeeded(): Boolean = gates.needUpkeep()

    /**
     * Ends up to [limit] gates whose deadline has passed, as each of them declares, with `workflow.gate_expired`. Any number of
     * processes may do so at once. If the result is full, there may be more.
     */
    public fun expireGates(limit: Int): List<ExpiredGate> = gates.expire(limit)

    /**
     * Releases up to [limit] active keys of runs that ended while canceled handlers might still have been running, and
     * returns the runs.
     */
    public fun releaseActiveKeys(limit: Int): List<UUID> = activeKeys.release(limit)
}
