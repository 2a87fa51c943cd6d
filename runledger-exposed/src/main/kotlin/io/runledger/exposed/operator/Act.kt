package io.runledger.exposed.operator

import io.runledger.exposed.sql.Binder
import java.util.UUID

/**
 * An action that is being performed, with what is known of it so far. Journal lines take its [id] and [actor]. Both are null
 * without an operator: then nothing is recorded.
 */
internal class Act(val id: UUID?, val actor: String?) {
    /** The rows that were changed, and not yet added to the record. */
    var changed: Long = 0
        private set

    var isRefused: Boolean = false
        private set

    /** The new row, and its organization. Those of existing rows are known from the beginning. */
    var target: String? = null
    var organizationId: UUID? = null

    val details: MutableMap<String, Any?> = LinkedHashMap()

    fun changed(rows: Int) {
        changed += rows
    }

    /** If not [isChanged], the row was as requested already. */
    fun changed(isChanged: Boolean) {
        if (isChanged) changed++
    }

    /** The call had no effect that anyone asked for, so nothing is recorded. */
    fun refused() {
        isRefused = true
    }

    fun counted() {
        changed = 0
        details.clear()
    }

    companion object {
        /** An action without an operator. */
        fun unrecorded() = Act(null, null)
    }
}

/** Sets the parameters of `fragment/by_operator`. */
internal fun Binder.by(act: Act) {
    text("actor", act.actor)
    uuid("action", act.id)
}
