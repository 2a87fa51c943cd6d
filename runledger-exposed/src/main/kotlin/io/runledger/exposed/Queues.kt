package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.flow.ChangeQueues
import io.runledger.exposed.flow.ReadLimits
import io.runledger.exposed.flow.ReadQueues
import io.runledger.exposed.flow.rowOfQueue
import io.runledger.model.flow.FlowName
import io.runledger.model.flow.LimitChange
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.QueueState
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page

/**
 * The named queues of the ledger. All organizations share them, so only the service and its operators should change them.
 *
 * A queue exists because a job type or a job names it; it is not declared, and any valid name can be paused before the first
 * job. Jobs without a queue are in none of them. A change applies to the next claim of each worker, and workers are notified.
 * Running jobs finish.
 */
public class Queues internal constructor(private val context: LedgerContext) {
    private val reads = ReadQueues(context)
    private val changes = ChangeQueues(context, reads)
    private val limits = ReadLimits(context)

    /**
     * A page of the queues in order of name: those that job types declare, those with live jobs, and those that an operator has
     * paused or limited. To read the next page, pass [Page.next] as [after]. Refused with `job.invalid_pagination` unless
     * [limit] is 1 to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun list(limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<QueueState> = reads.list(limit, after)

    /** The queue; without jobs if no job names it. Refused with `flow.invalid_name`. */
    public fun get(queue: String): QueueState {
        FlowName.QUEUE.require(queue)
        return context.transactions.statement { reads.get(it, queue) }
    }

    /**
     * Stops claims of the queue's jobs until [resume]. New jobs are still accepted. If it is paused, nothing changes. Refused
     * with `flow.invalid_name`.
     */
    @JvmOverloads
    public fun pause(queue: String, reason: String? = null): QueueState = changes.pause(queue, reason)

    /** Allows claims of the queue's jobs again, with the values of [limit]. Refused with `flow.invalid_name`. */
    @JvmOverloads
    public fun resume(queue: String, reason: String? = null): QueueState = changes.resume(queue, reason)

    /**
     * Limits how many jobs of the queue run at once or begin in a period; [LimitValues.NONE] limits them no longer. If the queue
     * is paused, the values apply after [resume]. Refused with `flow.invalid_name`, and with `flow.invalid_limit` for zero
     * permits: pause the queue instead.
     */
    @JvmOverloads
    public fun limit(queue: String, values: LimitValues, reason: String? = null): QueueState =
        changes.limit(queue, values, reason)

    /**
     * A page of the values that the queue has had since each change, newest first; zero permits are a pause. To read the next
     * page, pass [Page.next] as [after]. Refused with `flow.invalid_name`, and with `job.invalid_pagination` unless [limit] is 1
     * to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun history(queue: String, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<LimitChange> =
        limits.history(rowOfQueue(FlowName.QUEUE.require(queue)), limit, after)
}
