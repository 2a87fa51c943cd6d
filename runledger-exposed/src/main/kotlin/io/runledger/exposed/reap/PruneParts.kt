package io.runledger.exposed.reap

import io.runledger.exposed.read.TimedCursor
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.Transactions
import io.runledger.exposed.sql.isAboutARow
import io.runledger.exposed.sql.isHeldElsewhere
import io.runledger.model.error.RunledgerException
import io.runledger.model.retention.PruneRefusal
import java.sql.Connection

/**
 * Deletes a batch of rows at once. If the database refuses a row, or another session holds a row that belongs to it, the batch is
 * halved until the refused row is alone: it is kept, and the others are deleted. Each call of [delete] is a transaction of its
 * own. It takes the number of rows to pick and the position to start after, and reports the picked rows before it deletes them.
 */
internal class PruneParts<T>(
    private val transactions: Transactions,
    private val delete: (Connection, limit: Int, after: TimedCursor?, picked: (List<TimedCursor>) -> Unit) -> T,
) {
    private var wait = LockWait.TOGETHER
    val deleted = ArrayList<T>()
    val refused = ArrayList<PruneRefusal>()

    /** Returns the position to continue from, or null if there are no more rows. */
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
