package io.runledger.exposed.reap

import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.PruneRefusal
import java.sql.Connection

/**
 * Deletes up to a number of rows at once or, when the database refuses one of them or another session holds what has to go with
 * it, in halves, until that one stands alone: it stays, and the others go. [delete] runs in one transaction each; it is given
 * how many rows to pick and after which, and tells which it picked before it deletes them.
 */
internal class PruneParts<T>(
    private val transactions: Transactions,
    private val delete: (Connection, limit: Int, after: TimedCursor?, picked: (List<TimedCursor>) -> Unit) -> T,
) {
    private var wait = LockWait.TOGETHER
    val deleted = ArrayList<T>()
    val refused = ArrayList<PruneRefusal>()

    /** Answers where to go on, or with null when there is nothing left to look at. */
    fun prune(limit: Int, after: TimedCursor?): TimedCursor? {
        var picked = emptyList<TimedCursor>()
        try {
            deleted += transactions.runBriefly(wait) { connection -> delete(connection, limit, after) { picked = it } }
        } catch (refusal: RunledgerException) {
            if (picked.isEmpty() || !(refusal.isAboutARow() || refusal.isHeldElsewhere)) throw refusal
            wait = LockWait.ONE_BY_ONE
            if (picked.size > 1) return inHalves(picked.size, after)
            refused += PruneRefusal(picked.single().id, refusal)
        }
        return picked.lastOrNull().takeIf { picked.size == limit }
    }

    private fun inHalves(rows: Int, after: TimedCursor?): TimedCursor? =
        prune(rows / 2, after)?.let { middle -> prune(rows - rows / 2, middle) }
}
