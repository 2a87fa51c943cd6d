package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.fleet.AwaitDrained
import io.runledger.exposed.fleet.GiveOrders
import io.runledger.exposed.fleet.WorkerList
import io.runledger.model.fleet.GivenOrder
import io.runledger.model.fleet.HeldJob
import io.runledger.model.fleet.LiftedOrders
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture

/**
 * The workers of this ledger, and orders to them. An order reaches a worker at once if the worker receives notifications, else
 * with its next heartbeat. Each order is stored with its reason and the database role of the caller.
 */
public class Workers internal constructor(context: LedgerContext) {
    private val workerList = WorkerList(context)
    private val orders = GiveOrders(context, workerList)
    private val drained = AwaitDrained(context, workerList)

    /**
     * The registered workers, including lost ones, as of their last heartbeats, in order of worker id. Workers that stop
     * cleanly are removed from the list. A worker that disappeared stays until retention removes it. The list is not paged:
     * its length is the size of the fleet, plus the workers lost within the retention period.
     */
    @JvmOverloads
    public fun list(selection: WorkerSelection = WorkerSelection.all()): List<Worker> = workerList.list(selection)

    /**
     * The jobs that the worker with this [Worker.workerId] has claimed, the running ones first, at most [limit] (1 to 1,000).
     * Reads at most as many rows as all workers have claimed. Refused with `job.invalid_pagination`.
     */
    @JvmOverloads
    public fun heldJobs(workerId: String, limit: Int = JobQuery.DEFAULT_LIMIT): List<HeldJob> =
        workerList.heldJobs(workerId, limit)

    /**
     * Orders workers to claim no more jobs, finish the running ones, and stay registered. The order stands until it is lifted,
     * and also applies to workers that start before that. The result names the workers it addresses. A worker that starts
     * during the call is named, or knows the order before its first claim.
     *
     * If the call fails before it returns, for example because the connection breaks, the order is withdrawn. [standingOrders]
     * shows whether that failed as well.
     *
     * [atMost], from a millisecond to a hundred years, ends the order after that time by the database's clock, in case the
     * caller is killed before it lifts the order. Workers then continue with their next heartbeat.
     *
     * In a joined transaction the order takes effect at the commit, and workers that start between call and commit are not
     * named. Only jobs are drained: schedules still fire, triggers are polled, and lost jobs are recovered.
     */
    @JvmOverloads
    public fun drain(selection: WorkerSelection, reason: String, atMost: Duration? = null): GivenOrder =
        orders.drain(selection, reason, atMost)

    /**
     * Lifts every standing order for exactly this selection, including orders of other callers. To lift only your own order,
     * use its id. A worker that another order addresses, for example one for all workers, continues to drain. [standingOrders]
     * lists such orders, and [resumeAll] lifts them all. If no order matches, nothing changes and the result is empty.
     */
    public fun resume(selection: WorkerSelection, reason: String): LiftedOrders = orders.resume(selection, reason)

    /**
     * Lifts only the standing order with the id [order]. If two callers drain the same workers, neither ends the other's
     * drain: the workers continue when the last order is lifted. If the order does not stand, nothing changes and the result
     * is empty.
     */
    public fun resume(order: UUID, reason: String): LiftedOrders = orders.resume(order, reason)

    /**
     * Lifts every standing order, for all selections and of all callers. Afterwards all workers continue. If no order stands,
     * nothing changes and the result is empty.
     */
    public fun resumeAll(reason: String): LiftedOrders = orders.resumeAll(reason)

    /**
     * Orders the workers that are registered now to stop, as if their own process stopped them, with their configured grace
     * period. The result names exactly these workers; a worker that starts later is not affected. A worker that is unreachable
     * obeys when it returns, even after retention removed it from the list.
     */
    public fun stop(selection: WorkerSelection, reason: String): GivenOrder = orders.stop(selection, reason)

    /**
     * Completes with the selected workers once each of them is drained or lost. Canceling the future ends the wait. Check the
     * result for lost workers ([Worker.isLost]): their handlers may run until their leases expire. An empty list means that no
     * worker is selected, for example because of a mistyped label.
     *
     * After [timeout] the future fails with `worker.not_drained`, whose message names the workers that are still busy. A
     * timeout of zero checks once. Refused in a joined transaction.
     */
    public fun awaitDrained(selection: WorkerSelection, timeout: Duration): CompletableFuture<List<Worker>> =
        drained.await(selection, timeout)

    /**
     * The standing orders, oldest first. [WorkerOrder.endsAt] shows which of them expire. The list is not paged: an order leaves
     * it when it is lifted or expires.
     */
    public fun standingOrders(): List<WorkerOrder> = orders.standing()

    /**
     * A page of all orders ever given, newest first. To read the next page, pass [Page.next] as [after]. Refused with
     * `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun orders(limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<WorkerOrder> = orders.orders(limit, after)
}
