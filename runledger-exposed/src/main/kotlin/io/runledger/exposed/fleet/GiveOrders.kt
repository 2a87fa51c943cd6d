package io.runledger.exposed.fleet

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.Reason
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.GivenOrder
import io.runledger.model.state.LiftedOrders
import io.runledger.model.state.WorkerOrder
import io.runledger.model.state.WorkerOrderKind
import java.sql.Connection

/** Writes orders to workers, and reads them. */
internal class GiveOrders(private val context: LedgerContext, private val roster: Roster) {
    /** The order is committed before the list is read, a worker is on the list before it looks for orders: one sees the other. */
    fun drain(selection: WorkerSelection, reason: String): GivenOrder {
        val order = context.transactions.statement { write(it, WorkerOrderKind.DRAIN, selection, Reason.required(reason)) }
        return GivenOrder(order, roster.list(selection))
    }

    fun resume(selection: WorkerSelection, reason: String): LiftedOrders {
        val orders = context.transactions.statement { connection ->
            connection.rows(
                context.statements["worker_resume"],
                {
                    text(selection.label())
                    text(Reason.required(reason))
                },
            ) { workerOrder() }
        }
        return LiftedOrders(orders, if (orders.isEmpty()) emptyList() else roster.list(selection))
    }

    /** Addresses exactly the workers whose rows it marks: who comes later is not meant. */
    fun stop(selection: WorkerSelection, reason: String): GivenOrder = context.transactions.run { connection ->
        val order = write(connection, WorkerOrderKind.STOP, selection, Reason.required(reason))
        val workers = connection.rows(
            context.statements["worker_stop"],
            {
                text(selection.label())
                text(selection.label())
                uuid(order.id())
            },
        ) { worker() }
        GivenOrder(order, workers)
    }

    fun orders(limit: Int): List<WorkerOrder> {
        requireLimit(limit)
        return context.transactions.statement { connection ->
            connection.rows(context.statements["worker_orders"], { int(limit) }) { workerOrder() }
        }
    }

    fun standing(): List<WorkerOrder> = context.transactions.statement { connection ->
        connection.rows(context.statements["worker_orders_standing"]) { workerOrder() }
    }

    private fun write(connection: Connection, kind: WorkerOrderKind, selection: WorkerSelection, reason: String): WorkerOrder =
        checkNotNull(
            connection.row(
                context.statements["worker_order"],
                {
                    uuid(UuidV7.next())
                    text(kind.wire())
                    text(selection.label())
                    text(reason)
                },
            ) { workerOrder() },
        )
}
