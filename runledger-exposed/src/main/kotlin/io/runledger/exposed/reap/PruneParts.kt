package io.runledger.exposed.reap

import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.sql.isAboutARow
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.PruneRefusal

/**
 * Deletes up to a number of rows at once or, when the database refuses one of them, in halves, until what it refuses stands
 * alone: that stays, and the others go. [delete] is one transaction; it is given how many rows to pick and after which, and tells
 * which it picked before it deletes them.
 */
internal class PruneParts<T>(private val delete: (limit: Int, after: TimedCursor?, picked: (List<TimedCursor>) -> Unit) -> T) {
    val deleted = ArrayList<T>()
    val refused = ArrayList<PruneRefusal>()

    /** Answers where to go on, or with null when there is nothing left to look at. */
    fun prune(limit: Int, after: TimedCursor?): TimedCursor? {
        var picked = emptyList<TimedCursor>()
        try {
            deleted += delete(limit, after) { picked = it }
        } catch (refusal: RunledgerException) {
            if (!refusal.isAboutARow() || picked.isEmpty()) throw refusal
            if (picked.size > 1) return inHalves(picked.size, after)
            refused += PruneRefusal(picked.single().id, refusal)
        }
        return picked.lastOrNull().takeIf { picked.size == limit }
    }

    private fun inHalves(rows: Int, after: TimedCursor?): TimedCursor? =
        prune(rows / 2, after)?.let { middle -> prune(rows - rows / 2, middle) }
}
