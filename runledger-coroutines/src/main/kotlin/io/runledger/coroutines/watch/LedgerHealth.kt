package io.runledger.coroutines.watch

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException
import org.slf4j.LoggerFactory

/**
 * Whether the loops can use the ledger. Says so when that changes, not on every failure: once when the first loop fails, once
 * more for each other cause, and once when all loops work again.
 */
internal class LedgerHealth(private val workerId: String, private val observers: Observers) {
    private val failing = LinkedHashMap<String, ErrorCode>()
    private val told = LinkedHashSet<ErrorCode>()

    @Synchronized
    fun failed(loop: String, failure: Throwable) {
        val known = failure as? RunledgerException
            ?: InternalException(ErrorCode.DB_QUERY_FAILED, "The $loop failed.", failure.toString(), failure)
        failing[loop] = known.code()
        if (!told.add(known.code())) return
        log.warn("Worker {}: the {} cannot use the ledger and keeps trying.", workerId, loop, known)
        observers.tell { unavailable(known) }
    }

    @Synchronized
    fun worked(loop: String) {
        if (failing.remove(loop) == null || failing.isNotEmpty()) return
        told.clear()
        log.info("Worker {} can use the ledger again.", workerId)
        observers.tell { available() }
    }

    private companion object {
        val log = LoggerFactory.getLogger(LedgerHealth::class.java)
    }
}
