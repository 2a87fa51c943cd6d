package io.runledger.exposed.fleet

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.Reason
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.GivenOrder
import io.runledger.model.state.LiftedOrders
import io.runledger.model.state.WorkerOrder
import io.runledger.model.state.WorkerOrderKind
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Writes orders to workers, and reads them. */
internal class GiveOrders(private val context: LedgerContext, private val roster: Roster) {
    /**
     * The order is committed before the list is read, a worker is on the list before it looks for orders: one sees the other. An
     * order whose answer does not come is taken back: whoever gave it could not tell it from others, and would leave it standing.
     */
    @Suppress("TooGenericExceptionCaught")
    fun drain(selection: WorkerSelection, reason: String, atMost: Duration?): GivenOrder {
        val drain = Wording(UuidV7.next(), WorkerOrderKind.DRAIN, selection, Reason.required(reason), atMost?.also(::requireSpan))
        if (context.transactions.isJoined) return context.transactions.run { give(drain) }
        return try {
            give(drain)
        } catch (failure: Throwable) {
            runCatching { lift(drain.id, "Its answer could not be given.") }.onFailure(failure::addSuppressed)
            throw failure
        }
    }

    private fun give(drain: Wording): GivenOrder {
        val order = context.transactions.statement { write(it, drain) }
        return GivenOrder(order, roster.list(drain.selection))
    }

    private fun requireSpan(atMost: Duration) {
        if (atMost < SHORTEST || atMost > LONGEST) {
            throw ErrorCode.INVALID_ARGUMENT.exception("The limit is $atMost: give a millisecond to a hundred years, or none.")
        }
    }

    fun resume(id: UUID, reason: String): LiftedOrders {
        val order = lift(id, Reason.required(reason)) ?: return LiftedOrders(emptyList(), emptyList())
        val selection = order.label()?.let(WorkerSelection::labelled) ?: WorkerSelection.all()
        return LiftedOrders(listOf(order), roster.list(selection))
    }

    private fun lift(id: UUID, reason: String): WorkerOrder? = context.transactions.statement { connection ->
        connection.row(
            context.statements["worker_resume_order"],
            {
                text(reason)
                uuid(id)
            },
        ) { workerOrder() }
    }

    fun resume(selection: WorkerSelection, reason: String): LiftedOrders = resume(selection, reason, isForAll = false)

    fun resumeAll(reason: String): LiftedOrders = resume(WorkerSelection.all(), reason, isForAll = true)

    private fun resume(selection: WorkerSelection, reason: String, isForAll: Boolean): LiftedOrders {
        val orders = context.transactions.statement { connection ->
            connection.rows(
                context.statements["worker_resume"],
                {
                    bool(isForAll)
                    text(selection.label())
                    text(Reason.required(reason))
                },
            ) { workerOrder() }
        }
        return LiftedOrders(orders, if (orders.isEmpty()) emptyList() else roster.list(selection))
    }

    /** Addresses exactly the workers whose rows it marks: who comes later is not meant. */
    fun stop(selection: WorkerSelection, reason: String): GivenOrder = context.transactions.run { connection ->
        val order = write(connection, Wording(UuidV7.next(), WorkerOrderKind.STOP, selection, Reason.required(reason), null))
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

    private fun write(connection: Connection, order: Wording) = checkNotNull(
        connection.row(
            context.statements["worker_order"],
            {
                uuid(order.id)
                text(order.kind.wire())
                text(order.selection.label())
                text(order.reason)
                long(order.atMost?.toMicros())
            },
        ) { workerOrder() },
    )

    /** What an order says. */
    private class Wording(
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
