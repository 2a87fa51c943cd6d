package io.runledger.coroutines.watch

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import org.slf4j.LoggerFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Whether the loops can use the ledger. Says so when that changes, not on every failure: once when the first loop fails, once
 * more for each other cause, and once when all loops work again.
 */
internal class LedgerHealth(
    private val workerId: String,
    private val observers: Observers,
    /** How long a loop waits for an answer before that counts as a failure too. */
    val patience: Duration = 20.seconds,
) {
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

    /** The [loop] waits for an answer for longer than [patience], and goes on waiting. */
    fun silent(loop: String) = failed(
        loop,
        UnavailableException(
            ErrorCode.DB_UNREACHABLE,
            "The ledger has not answered for $patience: check the database and the network, and give connections a " +
                "socketTimeout, so that a call into a dead network ends.",
        ),
    )

    /** The [loop] had nothing to ask, which says nothing about the ledger. */
    @Synchronized
    fun idle(loop: String) {
        failing.remove(loop)
    }

    @Synchronized
    fun worked(loop: String) {
        failing.remove(loop)
        if (told.isEmpty() || failing.isNotEmpty()) return
        told.clear()
        log.info("Worker {} can use the ledger again.", workerId)
        observers.tell { available() }
    }

    private companion object {
        val log = LoggerFactory.getLogger(LedgerHealth::class.java)
    }
}
