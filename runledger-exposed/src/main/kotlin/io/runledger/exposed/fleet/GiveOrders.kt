package io.runledger.exposed.fleet

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Reason
import io.runledger.exposed.context.page
import io.runledger.exposed.intake.toMicros
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
import io.runledger.model.value.UuidV7
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Writes orders to workers and reads them. */
internal class GiveOrders(private val context: LedgerContext, private val workerList: WorkerList) {
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
            runCatching { lift(drain.id, "The call that gave the order failed.") }.onFailure(failure::addSuppressed)
            throw failure
        }
    }

    private fun give(drain: OrderDraft): GivenOrder {
        val order = context.transactions.statement { write(it, drain) }
        return GivenOrder(order, workerList.list(drain.selection))
    }

    private fun requireSpan(atMost: Duration) {
        if (atMost < SHORTEST || atMost > LONGEST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The limit is $atMost: give a millisecond to a hundred years, or none.")
        }
    }

    fun resume(id: UUID, reason: String): LiftedOrders {
        val order = lift(id, Reason.required(reason)) ?: return LiftedOrders(emptyList(), emptyList())
        val selection = order.label()?.let(WorkerSelection::labelled) ?: WorkerSelection.all()
        return LiftedOrders(listOf(order), workerList.list(selection))
    }

    private fun lift(id: UUID, reason: String): WorkerOrder? = context.transactions.statement { connection ->
        connection.row(
            context.statements["fleet/worker_resume_order"],
            {
                text("reason", reason)
                uuid("id", id)
            },
        ) { workerOrder() }
    }

    fun resume(selection: WorkerSelection, reason: String): LiftedOrders = resume(selection, reason, isForAll = false)

    fun resumeAll(reason: String): LiftedOrders = resume(WorkerSelection.all(), reason, isForAll = true)

    private fun resume(selection: WorkerSelection, reason: String, isForAll: Boolean): LiftedOrders {
        val orders = context.transactions.statement { connection ->
            connection.rows(
                context.statements["fleet/worker_resume"],
                {
                    bool("is_for_all", isForAll)
                    text("label", selection.label())
                    text("reason", Reason.required(reason))
                },
            ) { workerOrder() }
        }
        return LiftedOrders(orders, if (orders.isEmpty()) emptyList() else workerList.list(selection))
    }

    /** Stops exactly the workers whose rows it marks. Workers that enter the list later are not affected. */
    fun stop(selection: WorkerSelection, reason: String): GivenOrder = context.transactions.run { connection ->
        val order = write(connection, OrderDraft(UuidV7.next(), WorkerOrderKind.STOP, selection, Reason.required(reason), null))
        val workers = connection.rows(
            context.statements["fleet/worker_stop"],
            {
                text("label", selection.label())
                uuid("order_id", order.id())
            },
        ) { worker() }
        GivenOrder(order, workers)
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
