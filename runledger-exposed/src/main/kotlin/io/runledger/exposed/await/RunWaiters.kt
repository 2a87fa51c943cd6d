package io.runledger.exposed.await

import io.runledger.exposed.signal.Signal
import io.runledger.exposed.signal.Signals
import io.runledger.model.error.RunledgerException
import java.util.UUID
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock

/**
 * The waiters for runs of one ledger, and the thread that looks up their runs: at once for a new waiter, and when a notification
 * says that the run has ended. If notifications may have been lost, and at every tick, it looks up all awaited runs. The thread
 * ends when there are no waiters.
 */
internal class RunWaiters(private val lookUp: LookUp, private val signals: Signals, private val intervalNanos: Long) {
    private val lock = ReentrantLock()
    private val requested = lock.newCondition()
    private val waiting = HashMap<UUID, MutableSet<Waiter<*>>>()
    private val requestedIds = HashSet<UUID>()
    private var isLooking = false

    fun add(waiter: Waiter<*>) = lock.withLock {
        waiting.getOrPut(waiter.runId) { LinkedHashSet() } += waiter
        request(waiter.runId)
        if (!isLooking) {
            isLooking = true
            thread(isDaemon = true, name = "runledger-await", block = ::look)
        }
    }

    /** Looks up the run at once, for the last time. */
    fun lookLast(waiter: Waiter<*>) = lock.withLock {
        waiter.isLast = true
        request(waiter.runId)
    }

    /** Removes the waiter from further look-ups. Returns false if it was removed before. */
    fun remove(waiter: Waiter<*>): Boolean = lock.withLock {
        val others = waiting[waiter.runId] ?: return false
        val wasPresent = others.remove(waiter)
        if (others.isEmpty()) waiting.remove(waiter.runId)
        if (waiting.isEmpty()) requested.signalAll()
        wasPresent
    }

    private fun request(runId: UUID) {
        requestedIds += runId
        requested.signalAll()
    }

    private fun receive(signal: Signal) = lock.withLock {
        when (signal) {
            is Signal.EndedRun -> if (signal.runId in waiting) request(signal.runId)
            Signal.Resumed -> waiting.keys.forEach(::request)
            else -> Unit
        }
    }

    private fun look() {
        var subscription: AutoCloseable? = null
        val clock = Ticks(intervalNanos)
        try {
            while (awaitRequest(clock)) {
                lookNow()
                // Subscribes only if waiters remain after the first look-up. The listener then requests all runs again.
                if (subscription == null && lock.withLock { waiting.isNotEmpty() }) subscription = signals.subscribe(::receive)
            }
        } finally {
            subscription?.close()
        }
    }

    /** Blocks until a look-up is requested; returns false if there are no waiters. */
    private fun awaitRequest(clock: Ticks): Boolean = lock.withLock {
        while (requestedIds.isEmpty() && waiting.isNotEmpty()) {
            val left = clock.untilNext()
            if (left > 0) requested.awaitNanos(left) else waiting.keys.forEach(::request).also { clock.advance() }
        }
        isLooking = waiting.isNotEmpty()
        isLooking
    }

    @Suppress("TooGenericExceptionCaught")
    private fun lookNow() {
        var last = lock.withLock { waiting.values.flatten().filter { it.isLast } }
        try {
            var taken = emptyList<Waiter<*>>()
            val found = lookUp.read {
                lock.withLock {
                    taken = requestedIds.flatMap { waiting[it].orEmpty() }
                    last = taken.filter { it.isLast }
                    requestedIds.clear()
                    taken.groupBy { it.runId }.map { (runId, all) -> LookUp.Request(runId, all.any { !it.isSeen }) }
                }
            }
            taken.filter { waiter -> found[waiter.runId]?.let(waiter::offer) ?: false }.forEach(::remove)
            last.forEach { timeOut(it) }
        } catch (failure: Throwable) {
            failed(failure, last)
        }
    }

    // After a transient failure the look-up is retried at the next tick, or at once for waiters whose timeout has passed.
    // Any other failure ends all waits, because a retry would fail too.
    private fun failed(failure: Throwable, last: List<Waiter<*>>) {
        if (failure is RunledgerException && failure.code().isTransient) {
            last.forEach { timeOut(it, failure) }
            lock.withLock {
                requestedIds.clear()
                waiting.filterValues { all -> all.any { it.isLast } }.keys.forEach(::request)
            }
        } else {
            lock.withLock { waiting.values.flatten() }.forEach { if (remove(it)) it.fail(failure) }
        }
    }

    fun timeOut(waiter: Waiter<*>, lastFailure: Throwable? = null) {
        if (remove(waiter)) waiter.timeOut(lastFailure)
    }
}
