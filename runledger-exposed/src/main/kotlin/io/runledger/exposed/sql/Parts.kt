package io.runledger.exposed.sql

import io.runledger.model.error.RunledgerException
import java.util.UUID

/**
 * Writes items in batches, each in its own transaction. It starts with all items in one batch. If the database refuses a row,
 * the batch is split in halves until each refused item is alone. Written items are always reported. An error that does not
 * concern a row is thrown only if nothing was written; otherwise the remaining items get the answer [postponed].
 */
internal class Parts<I, A>(
    private val idOf: (I) -> UUID,
    private val refused: (I, RunledgerException) -> A,
    private val postponed: (I, RunledgerException) -> A,
) {
    // These statements skip a row that another session holds, so a lock timeout does not concern one item.
    private val isolation = IsolateRefusals(RunledgerException::isAboutARow)
    private val answers = HashMap<UUID, A>()
    private var isWritten = false
    private var fault: RunledgerException? = null

    /**
     * Writes [items] with [write], which returns the answers of written items by id. After an error that does not concern a
     * row, nothing more is written.
     */
    fun write(items: List<I>, write: (List<I>) -> Map<UUID, A>) {
        if (items.isEmpty()) return
        isolation.inHalves(items, { item, refusal -> answers[idOf(item)] = refused(item, refusal) }) { part ->
            fault = fault ?: faultOf(part, write)
            fault?.let { failure -> part.forEach { answers[idOf(it)] = postponed(it, failure) } }
        }
    }

    /** The [items] that have no answer yet. */
    fun missing(items: List<I>): List<I> = items.filter { idOf(it) !in answers }

    /** Answers by id. */
    fun answers(): Map<UUID, A> = fault?.takeUnless { isWritten }?.let { throw it } ?: answers

    /** Writes [part]. Returns an error that does not concern a row, or null if the part is written. */
    private fun faultOf(part: List<I>, write: (List<I>) -> Map<UUID, A>): RunledgerException? = try {
        val written = write(part)
        isWritten = isWritten || written.isNotEmpty()
        answers += written
        null
    } catch (failure: RunledgerException) {
        if (failure.isAboutARow()) throw failure
        failure
    }
}
