package io.runledger.exposed.fleet

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.spec.WorkerCard
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.BeatAnswer
import io.runledger.model.state.Worker
import io.runledger.model.state.WorkerState
import java.time.Instant
import java.util.UUID

/** The list of workers, which they keep themselves: one statement each. */
internal class Roster(private val context: LedgerContext) {
    fun enter(card: WorkerCard, since: Instant?): Instant = context.transactions.statement { connection ->
        connection.rows(context.statements["worker_enter"], { card(card, since) }) { instant("started_at") }.single()
    }

    private fun Binder.card(card: WorkerCard, since: Instant?) {
        uuid(card.id())
        text(card.workerId())
        texts(card.labels().sorted())
        texts(card.jobTypes())
        int(card.slots())
        text(card.libraryVersion())
        text(card.applicationVersion())
        text(card.host())
        long(card.processId())
        int(card.beatInterval().toMillis().toInt())
        instant(since)
        instant(since)
        texts(card.labels().sorted())
    }

    fun beat(id: UUID, state: WorkerState, busySlots: Int): BeatAnswer? {
        if (busySlots < 0) throw ErrorCode.INVALID_ARGUMENT.exception("busySlots is $busySlots: give zero or more.")
        val heard = context.transactions.statement { connection ->
            connection.row(
                context.statements["worker_beat"],
                {
                    text(state.wire())
                    int(busySlots)
                    uuid(id)
                },
            ) { Heard(getBoolean("is_to_drain"), uuidOrNull("stop_order_id")) }
        }
        return heard?.let { BeatAnswer(it.isToDrain, it.stopOrderId?.let(::order)) }
    }

    fun leave(id: UUID): Boolean = context.transactions.statement { connection ->
        connection.update(context.statements["worker_leave"]) { uuid(id) } == 1
    }

    fun list(selection: WorkerSelection): List<Worker> = context.transactions.statement { connection ->
        connection.rows(
            context.statements["worker_list"],
            {
                text(selection.label())
                text(selection.label())
            },
        ) { worker() }
    }

    private fun order(id: UUID) = context.transactions.statement { connection ->
        connection.row(context.statements["worker_order_get"], { uuid(id) }) { workerOrder() }
    }

    private class Heard(val isToDrain: Boolean, val stopOrderId: UUID?)
}
