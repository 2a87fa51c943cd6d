package io.runledger.exposed.sql

import io.runledger.model.error.RunledgerException
import java.util.UUID

/**
 * Writes items in parts, each in a transaction of its own: all at once, or, when the database refuses a row, by ever smaller
 * parts until the refused ones stand alone. What is written is told, whatever comes after it: a fault that is not about a row
 * is only thrown when nothing was written, else what it kept from being written is answered with [postponed].
 */
internal class Parts<I, A>(
    private val idOf: (I) -> UUID,
    private val refused: (I, RunledgerException) -> A,
    private val postponed: (I, RunledgerException) -> A,
) {
    private val answers = HashMap<UUID, A>()
    private var isWritten = false
    private var fault: RunledgerException? = null

    /** Writes [items] through [write], which answers by id for those it wrote. After a fault nothing more is tried. */
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

    /** Those of [items] that have no answer yet. */
    fun missing(items: List<I>): List<I> = items.filter { idOf(it) !in answers }

    /** Answers by id. */
    fun answers(): Map<UUID, A> = fault?.takeUnless { isWritten }?.let { throw it } ?: answers

    private fun answer(items: List<I>, failure: RunledgerException, make: (I, RunledgerException) -> A) =
        items.forEach { answers[idOf(it)] = make(it, failure) }
}
