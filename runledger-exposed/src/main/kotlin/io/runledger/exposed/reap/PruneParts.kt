package io.runledger.exposed.reap

import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.context.asAge
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.sql.Binder
import io.runledger.exposed.sql.IsolateRefusals
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.Transactions
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.WireText
import io.runledger.model.retention.PruneRefusal
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/**
 * Deletes a batch of rows at once. If the database refuses a row, or another session holds a row that belongs to it, the batch is
 * halved until the refused row is alone: it is kept, and the others are deleted. Each part is a transaction of its own: [pick]
 * takes the number of rows to pick and the position to start after, [delete] deletes the picked rows.
 *
 * A half is a number of rows after a position, not a list of rows: what can be deleted is decided when rows are picked and
 * locked, and the second half begins where the first ended.
 */
internal class PruneParts<P, D>(
    private val transactions: Transactions,
    private val pick: (Connection, limit: Int, after: TimedCursor?) -> List<P>,
    private val positionOf: (P) -> TimedCursor,
    private val delete: (Connection, List<P>) -> D,
) {
    private val isolation = IsolateRefusals()
    private var wait = LockWait.TOGETHER
    val deleted = ArrayList<D>()
    val refused = ArrayList<PruneRefusal>()

    /** Returns the position to continue from, or null if there are no more rows. */
    fun prune(limit: Int, after: TimedCursor?): TimedCursor? {
        var picked = emptyList<TimedCursor>()
        fun end() = picked.lastOrNull().takeIf { picked.size == limit }
        return isolation.attempt({
            deleted += transactions.runBriefly(wait) { connection ->
                val rows = pick(connection, limit, after)
                picked = rows.map(positionOf).distinctBy { it.id }
                delete(connection, rows)
            }
            end()
        }) { refusal ->
            wait = LockWait.ONE_BY_ONE
            when (picked.size) {
                0 -> throw refusal
                1 -> end().also { refused += PruneRefusal(picked.single().id, refusal) }
                else -> inHalves(picked.size, after)
            }
        }
    }

    private fun inHalves(rows: Int, after: TimedCursor?): TimedCursor? =
        prune(rows / 2, after)?.let { middle -> prune(rows - rows / 2, middle) }
}

/** Binds what both statements that pick rows need. */
internal fun Binder.picked(olderThan: Duration, statuses: Collection<WireText>, limit: Int, after: TimedCursor?) {
    long("age_us", olderThan.asAge().toMicros())
    instant("after_at", after?.at)
    uuid("after_id", after?.id ?: UUID(0, 0))
    wires("statuses", statuses.toList())
    int("limit", limit)
}
