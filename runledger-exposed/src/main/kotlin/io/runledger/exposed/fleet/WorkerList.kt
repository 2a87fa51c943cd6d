package io.runledger.exposed.fleet

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.BeatAnswer
import io.runledger.model.fleet.HeldJob
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobQuery
import io.runledger.model.text.Text
import java.time.Instant
import java.util.UUID

/** The list of workers. Each worker maintains its own row; every operation is one statement. */
internal class WorkerList(private val context: LedgerContext) {
    fun enter(card: WorkerCard, since: Instant?): Instant = context.transactions.statement { connection ->
        connection.rows(context.statements["fleet/worker_enter"], { card(card, since) }) { instant("started_at") }.single()
    }

    private fun Binder.card(card: WorkerCard, since: Instant?) {
        uuid("id", card.id())
        text("worker_id", card.workerId())
        texts("labels", card.labels().sorted())
        texts("job_types", card.jobTypes())
        textsOrNull("queues", card.queues()?.sorted())
        int("slots", card.slots())
        text("library_version", card.libraryVersion())
        text("application_version", card.applicationVersion())
        text("host", card.host())
        long("process_id", card.processId())
        int("beat_ms", card.beatInterval().toMillis().toInt())
        instant("since", since)
    }

    fun beat(id: UUID, state: WorkerState, busySlots: Int, heldJobs: Int): BeatAnswer? {
        if (busySlots < 0) throw ErrorCode.INVALID_ARGUMENT.exception("busySlots is $busySlots: give zero or more.")
        if (heldJobs < 0) throw ErrorCode.INVALID_ARGUMENT.exception("heldJobs is $heldJobs: give zero or more.")
        val row = context.transactions.statement { connection ->
            connection.row(
                context.statements["fleet/worker_beat"],
                {
                    text("state", state.wire())
                    int("busy_slots", busySlots)
                    int("held_jobs", heldJobs)
                    uuid("id", id)
                },
            ) { Beat(getBoolean("is_to_drain"), uuidOrNull("stop_order_id")) }
        }
        return row?.let { BeatAnswer(it.isToDrain, it.stopOrderId?.let(::order)) }
    }

    fun leave(id: UUID): Boolean = context.transactions.statement { connection ->
        connection.update(context.statements["fleet/worker_leave"]) { uuid("id", id) } == 1
    }

    fun list(selection: WorkerSelection): List<Worker> = context.transactions.statement { connection ->
        connection.rows(
            context.statements["fleet/worker_list"],
            {
                text("label", selection.label())
            },
        ) { worker() }
    }

    fun heldJobs(workerId: String, limit: Int): List<HeldJob> {
        JobQuery.requireLimit(limit)
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["fleet/worker_jobs"],
                {
                    text("worker_id", Text.storable(workerId))
                    int("limit", limit)
                },
            ) { heldJob() }
        }
    }

    private fun order(id: UUID) = context.transactions.statement { connection ->
        connection.row(context.statements["fleet/worker_order_get"], { uuid("id", id) }) { workerOrder() }
    }

    private class Beat(val isToDrain: Boolean, val stopOrderId: UUID?)
}
