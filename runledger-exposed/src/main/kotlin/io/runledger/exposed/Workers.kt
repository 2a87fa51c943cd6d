package io.runledger.exposed

import io.runledger.exposed.fleet.AwaitDrained
import io.runledger.exposed.fleet.GiveOrders
import io.runledger.exposed.fleet.Roster
import io.runledger.model.spec.WorkerCard
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.BeatAnswer
import io.runledger.model.state.GivenOrder
import io.runledger.model.state.LiftedOrders
import io.runledger.model.state.Worker
import io.runledger.model.state.WorkerOrder
import io.runledger.model.state.WorkerState
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CompletableFuture

/**
 * The workers of this ledger: who they are, and orders to them. An order reaches workers at once where notifications are heard,
 * and with their next beat everywhere else. Each is kept with its reason and with the database role that gave it.
 */
public class Workers internal constructor(context: LedgerContext) {
    private val roster = Roster(context)
    private val orders = GiveOrders(context, roster)
    private val drained = AwaitDrained(context, roster)

    /**
     * The workers that have come and not left, lost ones too, as their last beats showed them, in order of worker id. A worker
     * that ended in good order is on it no more; one that vanished stays until retention forgets it.
     */
    @JvmOverloads
    public fun list(selection: WorkerSelection = WorkerSelection.all()): List<Worker> = roster.list(selection)

    /**
     * Tells workers to claim nothing more, finish what runs, and stay: a standing order, which also binds those that start before
     * it is lifted. The answer names the workers it addresses; one that starts meanwhile is named, or knows of the order before
     * it claims.
     *
     * When the answer cannot be given, because the connection broke say, the order is taken back; [standingOrders] tells if even
     * that was not possible.
     *
     * With [atMost], a millisecond to a hundred years, the order ends on its own after that time by the database's clock, in case
     * whoever gave it is killed before lifting it: workers go on with their next beat.
     *
     * In a transaction of the caller's the order binds from the commit on, and who starts between call and commit is not named.
     * Drained are jobs alone: schedules still fire, triggers are polled and lost jobs are handed on.
     */
    @JvmOverloads
    public fun drain(selection: WorkerSelection, reason: String, atMost: Duration? = null): GivenOrder =
        orders.drain(selection, reason, atMost)

    /**
     * Lifts every standing order that was given for exactly this selection, whoever gave it; to end a drain of your own beside
     * those of others, lift it by its id. A worker that another order holds, for example one for all workers, goes on draining;
     * [standingOrders] tells, and [resumeAll] lifts them all. When none stood, nothing is changed and the answer is empty.
     */
    public fun resume(selection: WorkerSelection, reason: String): LiftedOrders = orders.resume(selection, reason)

    /**
     * Lifts the standing order with the id [order] and no other, so that two who drain the same workers do not end each other's
     * drain: the last of them lets the workers go on. When it does not stand, nothing is changed and the answer is empty.
     */
    public fun resume(order: UUID, reason: String): LiftedOrders = orders.resume(order, reason)

    /**
     * Lifts every standing order, whoever it is for and whoever gave it: afterwards all workers go on. When none stood, nothing
     * is changed and the answer is empty.
     */
    public fun resumeAll(reason: String): LiftedOrders = orders.resumeAll(reason)

    /**
     * Tells the workers that are there now to end, each as if it was told to stop by its own process, with the grace it is
     * configured with. The answer names exactly those; a worker that starts afterwards is not meant. One that is away obeys when
     * it comes back, also after retention took it off the list.
     */
    public fun stop(selection: WorkerSelection, reason: String): GivenOrder = orders.stop(selection, reason)

    /**
     * Completes with the selected workers once each of them is drained or lost; canceling it ends the waiting. Look for lost ones
     * ([Worker.isLost]): nobody sees whether their handlers still run, until their leases run out. An empty list says that no
     * worker is selected, which is also what a mistyped label gives.
     *
     * After [timeout] it completes with `worker.not_drained`, whose message names who is still at work; zero looks once. Refused
     * inside a transaction of the caller's.
     */
    public fun awaitDrained(selection: WorkerSelection, timeout: Duration): CompletableFuture<List<Worker>> =
        drained.await(selection, timeout)

    /** The orders that stand now, the first one first; [WorkerOrder.endsAt] says which of them end on their own. */
    public fun standingOrders(): List<WorkerOrder> = orders.standing()

    /** All orders that were ever given, the latest first, at most [limit] (1 to 1,000). */
    public fun orders(limit: Int): List<WorkerOrder> = orders.orders(limit)

    /**
     * For workers: puts one on the list, and answers since when it runs by the database's clock. Saying it again changes nothing.
     * Only a [beat] after this tells what it is to do.
     *
     * One that comes back after it was believed gone for good passes as [since] what the first call answered: orders to stop that
     * were given since then are still for it.
     */
    @JvmOverloads
    public fun enter(card: WorkerCard, since: Instant? = null): Instant = roster.enter(card, since)

    /**
     * For workers: says that this one is alive, what it does and how many jobs it runs, and answers what it is to do. Null when
     * it is not on the list, because it left or was believed gone for good.
     */
    public fun beat(id: UUID, state: WorkerState, busySlots: Int): BeatAnswer? = roster.beat(id, state, busySlots)

    /** For workers: takes one off the list. False when it was not on it. */
    public fun leave(id: UUID): Boolean = roster.leave(id)
}
