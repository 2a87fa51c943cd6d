package io.runledger.exposed.workflow

import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.sparse
import java.util.UUID

/** Collects the changes to the step counters of runs until one statement writes them. */
internal class RunCounters {
    private class Change {
        var open = 0
        var active = 0
        var waiting = 0
        var errors = 0
        var reason: String? = null
    }

    private val changes = sortedMapOf<UUID, Change>()

    val isEmpty: Boolean get() = changes.isEmpty()

    fun add(run: UUID, open: Int = 0, active: Int = 0, waiting: Int = 0, errors: Int = 0) {
        val change = changes.getOrPut(run, ::Change)
        change.open += open
        change.active += active
        change.waiting += waiting
        change.errors += errors
    }

    /** Cancels the run, whatever its counters are. */
    fun cancel(run: UUID, reason: String) {
        changes.getOrPut(run, ::Change).reason = reason
    }

    fun bind(binder: Binder) {
        binder.uuids("run_ids", changes.keys.toList())
        binder.ints("open_steps", changes.values.map { it.open })
        binder.ints("active_steps", changes.values.map { it.active })
        binder.ints("waiting_steps", changes.values.map { it.waiting })
        binder.ints("error_steps", changes.values.map { it.errors })
        binder.texts("reasons", changes.values.toList().sparse { it.reason })
    }
}
