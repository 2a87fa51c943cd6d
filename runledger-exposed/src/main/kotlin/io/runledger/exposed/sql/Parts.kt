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
    private val answers = HashMap<UUID, A>()
    private var isWritten = false
    private var fault: RunledgerException? = null

    /**
     * Writes [items] with [write], which returns the answers of written items by id. After an error that does not concern a
     * row, nothing more is written.
     */
    fun write(items: List<I>, write: (List<I>) -> Map<UUID, A>) {
        if (items.isEmpty()) return
        fault?.let { return answer(items, it, postponed) }
        try {
            val written = write(items)
            isWritten = isWritten || written.isNotEmpty()
            answers += written
        } catch (failure: RunledgerException) {
            when {
                !failure.isAboutARow() -> {
                    fault = failure
                    answer(items, failure, postponed)
                }

                items.size == 1 -> answer(items, failure, refused)

                else -> items.chunked((items.size + 1) / 2).forEach { write(it, write) }
            }
        }
    }

    /** The [items] that have no answer yet. */
    fun missing(items: List<I>): List<I> = items.filter { idOf(it) !in answers }

    /** Answers by id. */
    fun answers(): Map<UUID, A> = fault?.takeUnless { isWritten }?.let { throw it } ?: answers

    private fun answer(items: List<I>, failure: RunledgerException, make: (I, RunledgerException) -> A) =
        items.forEach { answers[idOf(it)] = make(it, failure) }
}
