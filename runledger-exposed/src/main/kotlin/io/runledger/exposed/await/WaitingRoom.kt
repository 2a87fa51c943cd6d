package io.runledger.exposed.await

import io.runledger.exposed.signal.Signal
import io.runledger.exposed.signal.Signals
import io.runledger.model.error.RunledgerException
import java.util.UUID
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock

/**
 * All who wait for runs of one ledger, and the thread that looks for them: at once for a newcomer, when a run is said to have
 * ended, for everybody when signals may have been missed and at every tick. The thread is there while somebody waits.
 */
internal class WaitingRoom(private val lookUp: LookUp, private val signals: Signals, private val intervalNanos: Long) {
    private val lock = ReentrantLock()
    private val somethingAsked = lock.newCondition()
    private val waiting = HashMap<UUID, MutableSet<Waiter<*>>>()
    private val asked = HashSet<UUID>()
    private var isLooking = false

    fun enter(waiter: Waiter<*>) = lock.withLock {
        waiting.getOrPut(waiter.runId) { LinkedHashSet() } += waiter
        ask(waiter.runId)
        if (!isLooking) {
            isLooking = true
            thread(isDaemon = true, name = "runledger-await", block = ::look)
        }
    }

    /** Looks up once more, at once, and no more after that. */
    fun lookLast(waiter: Waiter<*>) = lock.withLock {
        waiter.isLast = true
        ask(waiter.runId)
    }

    /** The waiter hears nothing more. False when it had left already. */
    fun leave(waiter: Waiter<*>): Boolean = lock.withLock {
        val others = waiting[waiter.runId] ?: return false
        val wasThere = others.remove(waiter)
        if (others.isEmpty()) waiting.remove(waiter.runId)
        if (waiting.isEmpty()) somethingAsked.signalAll()
        wasThere
    }

    private fun ask(runId: UUID) {
        asked += runId
        somethingAsked.signalAll()
    }

    private fun heard(signal: Signal) = lock.withLock {
        when (signal) {
            is Signal.EndedRun -> if (signal.runId in waiting) ask(signal.runId)
            Signal.Resumed -> waiting.keys.forEach(::ask)
            else -> Unit
        }
    }

    private fun look() {
        var subscription: AutoCloseable? = null
        val clock = Ticks(intervalNanos)
        try {
            while (awaitQuestion(clock)) {
                lookNow()
                // Only for those who found nothing at once. The listener then asks again for all: what ended in between is seen.
                if (subscription == null && lock.withLock { waiting.isNotEmpty() }) subscription = signals.subscribe(::heard)
            }
        } finally {
            subscription?.close()
        }
    }

    /** Waits until somebody must be looked for; false when nobody waits any more. */
    private fun awaitQuestion(clock: Ticks): Boolean = lock.withLock {
        while (asked.isEmpty() && waiting.isNotEmpty()) {
            val left = clock.untilNext()
            if (left > 0) somethingAsked.awaitNanos(left) else waiting.keys.forEach(::ask).also { clock.advance() }
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
                    taken = asked.flatMap { waiting[it].orEmpty() }
                    last = taken.filter { it.isLast }
                    asked.clear()
                    taken.groupBy { it.runId }.map { (runId, all) -> LookUp.Asked(runId, all.any { !it.isSeen }) }
                }
            }
            taken.filter { waiter -> found[waiter.runId]?.let(waiter::offer) ?: false }.forEach(::leave)
            last.forEach { timeOut(it) }
        } catch (failure: Throwable) {
            failed(failure, last)
        }
    }

    // What passes by itself is tried again at the next tick, or at once for those whose time is up now; the rest would never end.
    private fun failed(failure: Throwable, last: List<Waiter<*>>) {
        if (failure is RunledgerException && failure.code().isTransient) {
            last.forEach { timeOut(it, failure) }
            lock.withLock {
                asked.clear()
                waiting.filterValues { all -> all.any { it.isLast } }.keys.forEach(::ask)
            }
        } else {
            lock.withLock { waiting.values.flatten() }.forEach { if (leave(it)) it.fail(failure) }
        }
    }

    fun timeOut(waiter: Waiter<*>, lastFailure: Throwable? = null) {
        if (leave(waiter)) waiter.timeOut(lastFailure)
    }
}
