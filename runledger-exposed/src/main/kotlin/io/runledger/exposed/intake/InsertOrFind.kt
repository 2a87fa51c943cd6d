package io.runledger.exposed.intake

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode

private const val TRIES = 10

/**
 * Inserts [rows] or finds the rows that hold their keys, and answers for each of them. The holder of a key may be deleted, by
 * retention for example, after it was in the way of the insert and before it is looked up. Then the row was neither inserted nor
 * found, and is inserted again: no answer is inferred.
 */
internal fun <R : Any, A : Any> insertOrFind(
    rows: List<R>,
    insert: (List<R>) -> Map<R, A>,
    find: (List<R>) -> Map<R, A>,
): Map<R, A> {
    val answers = HashMap<R, A>(rows.size * 2)
    var open = rows
    repeat(TRIES) {
        listOf(insert, find).forEach { step ->
            answers += step(open)
            open = open.filter { it !in answers }
            if (open.isEmpty()) return answers
        }
    }
    throw ErrorCode.DB_CONTENTION.exception(
        "A key was taken and freed again $TRIES times while it was asked for: try again.",
    )
}
