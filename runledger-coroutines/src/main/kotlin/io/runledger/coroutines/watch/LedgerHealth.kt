package io.runledger.coroutines.watch

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import org.slf4j.LoggerFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Whether the loops can use the ledger. Reports changes, not every failure: once when the first loop fails, once for each further
 * cause, and once when all loops work again.
 */
internal class LedgerHealth(
    private val workerId: String,
    private val observers: Observers,
    /** How long a loop waits for an answer before the wait counts as a failure. */
    val patience: Duration = 20.seconds,
    val clock: TimeSource.WithComparableMarks = TimeSource.Monotonic,
) {
    private val failing = LinkedHashMap<String, ErrorCode>()
    private val reported = LinkedHashSet<ErrorCode>()

    @Synchronized
    fun failed(loop: String, failure: Throwable) {
        val known = failure as? RunledgerException
            ?: InternalException(ErrorCode.DB_QUERY_FAILED, "The $loop failed.", failure.toString(), failure)
        failing[loop] = known.code()
        if (!reported.add(known.code())) return
        if (reported.size == 1) observers.meters.tell { unavailable(known) }
        log.warn("Worker {}: the {} cannot use the ledger and keeps trying.", workerId, loop, known)
        observers.publish { unavailable(known) }
    }

    /** The [loop] has waited for an answer for longer than [patience], and is still waiting. */
    fun silent(loop: String) = failed(
        loop,
        UnavailableException(
            ErrorCode.DB_UNREACHABLE,
            "The ledger has not answered for $patience: check the database and the network, and give connections a " +
                "socketTimeout, so that a call into a dead network ends.",
        ),
    )

    /** The [loop] made no call, so its pass says nothing about the ledger. */
    @Synchronized
    fun idle(loop: String) {
        failing.remove(loop)
    }

    @Synchronized
    fun worked(loop: String) {
        failing.remove(loop)
        if (reported.isEmpty() || failing.isNotEmpty()) return
        reported.clear()
        observers.meters.tell { available() }
        log.info("Worker {} can use the ledger again.", workerId)
        observers.publish { available() }
    }

    /** The worker has ended, so that its outage is over. */
    @Synchronized
    fun ended() {
        if (reported.isEmpty()) return
        reported.clear()
        observers.meters.tell { available() }
    }

    private companion object {
        val log = LoggerFactory.getLogger(LedgerHealth::class.java)
    }
}
