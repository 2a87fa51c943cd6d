package io.runledger.coroutines.attempt

import java.util.concurrent.atomic.AtomicBoolean

/** The times of an attempt for the meters, by [System.nanoTime]. It ends once, although several threads may report its end. */
internal class AttemptMeasure(private val claimedAt: Long) : AtomicBoolean() {
    @Volatile
    private var startedAt = claimedAt

    @Volatile
    var hasStarted: Boolean = false
        private set

    /** The time since the handler started. */
    val running: Long get() = if (hasStarted) System.nanoTime() - startedAt else 0

    /** The handler starts. Returns the time since the claim. */
    fun start(): Long {
        startedAt = System.nanoTime()
        hasStarted = true
        return startedAt - claimedAt
    }

    /** Returns false if the attempt has ended before. */
    fun end(): Boolean = compareAndSet(false, true)
}
