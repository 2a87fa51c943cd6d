package io.runledger.exposed.sql

import io.runledger.model.error.RunledgerException

/**
 * Keeps the refusal of one item from affecting the others. Work on many items is tried at once. If it is refused because of one
 * item, it is done again in smaller parts, in the given order, and the refused item gets an answer of its own. Any other error is
 * thrown as it is.
 *
 * Refused work must leave nothing behind: it is a transaction of its own, or runs behind a savepoint. [isAboutOne] tells
 * whether a refusal concerns one item. An instance that defers items serves one pass.
 */
internal class IsolateRefusals(private val isAboutOne: (RunledgerException) -> Boolean = RunledgerException::isAboutOneRow) {
    private var stuck: RunledgerException? = null

    /** The result of [work], or of [answer] if the work is refused because of one item. */
    fun <R> attempt(work: () -> R, answer: (RunledgerException) -> R): R = try {
        work()
    } catch (refusal: RunledgerException) {
        if (!isAboutOne(refusal)) throw refusal
        answer(refusal)
    }

    /** Does [work] on all [items], and halves them as long as it is refused, until each refused item is alone. */
    fun <I> inHalves(items: List<I>, refused: (I, RunledgerException) -> Unit, work: (List<I>) -> Unit): Unit =
        attempt({ work(items) }) { refusal ->
            if (items.size == 1) {
                refused(items.single(), refusal)
            } else {
                items.chunked((items.size + 1) / 2).forEach { inHalves(it, refused, work) }
            }
        }

    /** Does [work] on each of [items] alone. An item without a result is left out. */
    fun <I, R : Any> oneByOne(items: List<I>, refused: (I, RunledgerException) -> R?, work: (I) -> R?): List<R> =
        items.mapNotNull { item -> attempt({ work(item) }) { refused(item, it) } }

    /** The result of [deferral], which postpones a refused item. If that fails too, the result is null and the item stays. */
    fun <R> defer(refusal: RunledgerException, deferral: () -> R): R? = try {
        deferral()
    } catch (second: RunledgerException) {
        refusal.addSuppressed(second)
        stuck = refusal
        null
    }

    /** Throws the refusal of an item that could not be deferred. For a pass without a result, which would hide the refusal. */
    fun throwIfStuck() {
        stuck?.let { throw it }
    }
}
