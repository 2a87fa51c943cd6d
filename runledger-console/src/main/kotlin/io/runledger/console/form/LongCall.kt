package io.runledger.console.form

import io.runledger.model.error.RunledgerException
import java.time.Duration

/**
 * Performs [work] beside the request. Returns when it has ended, when the ledger has recorded its beginning, or after a few
 * seconds. A second call with the same key waits for the first. Throws what ended the work, unless its record shows how far it
 * came.
 */
internal fun Order<*>.runLong(work: () -> Unit) {
    val actions = visit.ledgers.longActions
    if (!actions.start(key, work)) {
        throw NotPossible("Too many other changes of many rows are running. Try again when one of them has ended.")
    }
    val deadline = System.nanoTime() + PATIENCE.toNanos()
    try {
        while (!actions.await(key, LOOK) && Recorded.byKey(visit, key) == null) {
            if (System.nanoTime() - deadline > 0) break
        }
    } catch (failure: RunledgerException) {
        if (Recorded.byKey(visit, key) == null) throw failure
    }
}

private val PATIENCE: Duration = Duration.ofSeconds(5)
private val LOOK: Duration = Duration.ofMillis(100)
