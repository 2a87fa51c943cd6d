package io.runledger.exposed.fleet

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.page
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.GivenOrder
import io.runledger.model.fleet.LiftedOrders
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.fleet.WorkerOrderKind
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Writes orders to workers and reads them. */
internal class GiveOrders(private val context: LedgerContext, private val workerList: WorkerList) {
    private val actions = RecordActions(context)

    /**
     * The order is committed before the list is read, and a worker is in the list before it reads orders, so one sees the other.
     * If the call fails after the order was written, the order is lifted: the caller does not know its id and could not lift it.
     */
    @Suppress("TooGenericExceptionCaught")
    fun drain(selection: WorkerSelection, reason: String, atMost: Duration?): GivenOrder {
        val given = Reason.required(reason)
        val drain = OrderDraft(UuidV7.next(), WorkerOrderKind.DRAIN, selection, given, atMost?.also(::requireSpan))
        if (context.transactions.isJoined) return context.transactions.run { give(drain) }
        return try {
            give(drain)
        } catch (failure: Throwable) {
            runCatching {
                context.transactions.statement { lift(it, drain.id, "The call that gave the order failed.") }
            }.onFailure(failure::addSuppressed)
            throw failure
        }
    }

    private fun give(drain: OrderDraft): GivenOrder {
        val target = OperatorTarget.workerOrder(drain.id)
        val order = recorded(OperatorActionKind.WORKER_DRAIN, target, drain.reason) { connection, act ->
            act.changed(1)
            act.details += drain.selection.storedForm()
            write(connection, drain)
        }
        return GivenOrder(order, workerList.list(drain.selection))
    }

    private fun requireSpan(atMost: Duration) {
        if (atMost < SHORTEST || atMost > LONGEST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The limit is $atMost: give a millisecond to a hundred years, or none.")
        }
    }

    fun resume(id: UUID, reason: String): LiftedOrders {
        val given = Reason.required(reason)
        val lifted = recorded(OperatorActionKind.WORKER_RESUME, OperatorTarget.workerOrder(id), given) { connection, act ->
            lift(connection, id, given).also { act.changed(it != null) }
        }
        val order = lifted ?: return LiftedOrders(emptyList(), emptyList())
        val selection = order.label()?.let(WorkerSelection::labelled) ?: WorkerSelection.all()
        return LiftedOrders(listOf(order), workerList.list(selection))
    }

    private fun lift(connection: Connection, id: UUID, reason: String): WorkerOrder? = connection.row(
        context.statements["fleet/worker_resume_order"],
        {
            text("reason", reason)
            uuid("id", id)
        },
    ) { workerOrder() }

    /** A single statement, unless an action is recorded with it. */
    private fun <T> recorded(kind: OperatorActionKind, target: OperatorTarget, reason: String, work: (Connection, Act) -> T): T =
        if (actions.isOn) {
            context.transactions.run { connection ->
                actions.record(connection, ActionDraft(kind, target, reason, null)) { act -> work(connection, act) }
            }
        } else {
            context.transactions.statement { connection -> work(connection, Act.unrecorded()) }
        }

    private fun WorkerSelection.storedForm(): Map<String, Any?> = label()?.let { mapOf("label" to it) }.orEmpty()

    fun resume(selection: WorkerSelection, reason: String): LiftedOrders = resume(selection, reason, isForAll = false)

    fun resumeAll(reason: String): LiftedOrders = resume(WorkerSelection.all(), reason, isForAll = true)

    private fun resume(selection: WorkerSelection, reason: String, isForAll: Boolean): LiftedOrders {
        val given = Reason.required(reason)
        val target = OperatorTarget.workers(selection.label())
        val orders = recorded(OperatorActionKind.WORKER_RESUME, target, given) { connection, act ->
            connection.rows(
                context.statements["fleet/worker_resume"],
                {
                    bool("is_for_all", isForAll)
                    text("label", selection.label())
                    text("reason", given)
                },
            ) { workerOrder() }.also { act.changed(it.size) }
        }
        return LiftedOrders(orders, if (orders.isEmpty()) emptyList() else workerList.list(selection))
    }

    /** Stops exactly the workers whose rows it marks. Workers that enter the list later are not affected. */
    fun stop(selection: WorkerSelection, reason: String): GivenOrder = context.transactions.run { connection ->
        val stop = OrderDraft(UuidV7.next(), WorkerOrderKind.STOP, selection, Reason.required(reason), null)
        val target = OperatorTarget.workerOrder(stop.id)
        actions.record(connection, ActionDraft(OperatorActionKind.WORKER_STOP, target, stop.reason, null)) { act ->
            act.details += selection.storedForm()
            stop(connection, stop).also { act.changed(it.workers().size) }
        }
    }

    private fun stop(connection: Connection, stop: OrderDraft): GivenOrder {
        val order = write(connection, stop)
        val workers = connection.rows(
            context.statements["fleet/worker_stop"],
            {
                text("label", stop.selection.label())
                uuid("order_id", order.id())
            },
        ) { worker() }
        return GivenOrder(order, workers)
    }

    fun orders(limit: Int, after: String?): Page<WorkerOrder> {
        JobQuery.requireLimit(limit)
        val last = after?.let(Cursor::read)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["fleet/worker_orders"],
                {
                    uuid("after_id", last)
                    int("limit", limit + 1)
                },
            ) { workerOrder() }
        }.page(limit) { Cursor.after(it.id()) }
    }

    fun standing(): List<WorkerOrder> = context.transactions.statement { connection ->
        connection.rows(context.statements["fleet/worker_orders_standing"]) { workerOrder() }
    }

    private fun write(connection: Connection, order: OrderDraft) = checkNotNull(
        connection.row(
            context.statements["fleet/worker_order"],
            {
                uuid("id", order.id)
                text("kind", order.kind.wire())
                text("label", order.selection.label())
                text("reason", order.reason)
                long("at_most_us", order.atMost?.toMicros())
            },
        ) { workerOrder() },
    )

    /** An order to be written. */
    private class OrderDraft(
        val id: UUID,
        val kind: WorkerOrderKind,
        val selection: WorkerSelection,
        val reason: String,
        val atMost: Duration?,
    )

    private companion object {
        val SHORTEST: Duration = Duration.ofMillis(1)
        val LONGEST: Duration = Duration.ofDays(36_500)
    }
}
