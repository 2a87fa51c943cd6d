package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.flow.ChangeLimits
import io.runledger.exposed.flow.ReadLimits
import io.runledger.model.flow.LimitChange
import io.runledger.model.flow.LimitLoad
import io.runledger.model.flow.LimitUsage
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.flow.StoredLimit
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page

/**
 * The limits of the ledger. All organizations share them, so only the service and its operators should change them.
 *
 * Code declares a limit with its job types. The values of an operator take precedence over every declaration until [reset].
 * Reads return both: [StoredLimit.declared] and [StoredLimit.inForce]. A limit is never deleted, because jobs may name it.
 *
 * A change applies to the next claim of each worker, and workers are notified. Running jobs finish: if a change leaves fewer
 * permits than are in use, no job begins until enough of them have ended. The reason of a change is kept in [history].
 */
public class Limits internal constructor(context: LedgerContext) {
    private val reads = ReadLimits(context)
    private val changes = ChangeLimits(context)

    /**
     * A page of the limits in order of name, without those of queues. To read the next page, pass [Page.next] as [after]. Refused
     * with `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun list(limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<StoredLimit> = reads.list(limit, after)

    /** The limit, or null if it is not declared. */
    public fun find(name: String): StoredLimit? = reads.find(name)

    /** The limit. Refused with `flow.limit_unknown`. */
    public fun get(name: String): StoredLimit = reads.get(name)

    /**
     * Puts exactly [values] in force until [reset], whatever code declares: a value that is null no longer limits the jobs. Zero
     * permits pause them. If the values are in force already as an operator's, nothing changes. Refused with
     * `flow.limit_unknown`.
     */
    @JvmOverloads
    public fun change(name: String, values: LimitValues, reason: String? = null): StoredLimit =
        changes.change(name, reason) { values }

    /** [change] of the permits only; the rate in force stays. Refused with `flow.limit_unknown` and `flow.invalid_limit`. */
    @JvmOverloads
    public fun changePermits(name: String, permits: Int, reason: String? = null): StoredLimit =
        changes.change(name, reason) { it.withPermits(permits) }

    /** [change] of the rate only; the permits in force stay. Refused with `flow.limit_unknown`. */
    @JvmOverloads
    public fun changeRate(name: String, rate: Rate, reason: String? = null): StoredLimit =
        changes.change(name, reason) { it.withRate(rate) }

    /** Puts the last declared values in force again. Refused with `flow.limit_unknown`. */
    @JvmOverloads
    public fun reset(name: String, reason: String? = null): StoredLimit = changes.reset(name, reason)

    /**
     * A page of the values that the limit has had since each change, newest first. To read the next page, pass [Page.next] as
     * [after]. Empty for a limit that was never declared. Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000 and
     * [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun history(name: String, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<LimitChange> =
        reads.historyOfLimit(name, limit, after)

    /**
     * A page of the use of the limit, one item for each key in order of key, or one item for a limit without keys. A key is
     * listed while a job with it runs or waits, and for some time after. Waiting jobs are counted among the first 5,000 due jobs
     * of each job type, and of the running jobs of a key, 20 are named.
     *
     * Reads as many rows as the workers have claimed, and up to 5,000 of each job type that has limits, an order, shares or a
     * queue. Refused with `flow.limit_unknown`, and with `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is a
     * cursor of this method.
     */
    @JvmOverloads
    public fun usage(name: String, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<LimitUsage> =
        reads.usage(name, limit, after)

    /**
     * The use of all limits in order of name, with the jobs of all keys together. A limit without running and due jobs is left
     * out. Waiting jobs are counted as by [usage].
     */
    public fun loads(): List<LimitLoad> = reads.loads()
}
