package io.runledger.coroutines.attempt

import io.runledger.model.handler.Cancellation
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asExecutor
import org.slf4j.LoggerFactory
import java.util.Optional
import java.util.concurrent.atomic.AtomicBoolean
import java.util.function.Consumer

/**
 * The cancellation of an attempt: the first reason wins. Hooks run on other threads than the loops and cannot block them. Every
 * attempt has one, and few are requested, so lists and signals are created when they are used.
 */
internal class AttemptCancellation : Cancellation {
    private val lock = Any()

    @Volatile
    private var first: Cancellation.Reason? = null

    @Volatile
    private var second: Cancellation.Reason? = null

    /** Called with the first reason. Null before the first one is added. */
    private var actions: MutableList<() -> Unit>? = null

    private var later: CompletableDeferred<Cancellation.Reason>? = null

    /** Why the handler was stopped before it returned an outcome; null if it ended by itself. */
    @Volatile
    var stopped: Cancellation.Reason? = null

    /** The handler, if it is still running although it was asked to stop. */
    @Volatile
    var stuck: Job? = null

    /** The first reason, or null if no stop was requested. */
    val requested: Cancellation.Reason? get() = first

    /** The first other reason after a timeout. It can change the settlement of the attempt. */
    val afterTimeout: Deferred<Cancellation.Reason>
        get() = synchronized(lock) {
            later ?: CompletableDeferred<Cancellation.Reason>().also { deferred ->
                later = deferred
                second?.let(deferred::complete)
            }
        }

    override fun reason(): Optional<Cancellation.Reason> = Optional.ofNullable(first)

    override fun isRequested(): Boolean = first != null

    /** Whether no further reason can change the settlement of the attempt. After a timeout alone, another reason still can. */
    fun isOver(): Boolean = second != null || first.let { it != null && it != Cancellation.Reason.TIMEOUT }

    /** Asks the attempt to stop; returns false if it was asked before. */
    fun request(reason: Cancellation.Reason): Boolean {
        var isFirst = false
        // Called and completed without the lock, because both run code of others.
        val toCall = synchronized(lock) {
            isFirst = first == null
            if (isFirst) first = reason
            if (isFirst) actions.also { actions = null } else null
        }
        toCall?.forEach { it() }
        if (!isFirst) requestAgain(reason)
        return isFirst
    }

    private fun requestAgain(reason: Cancellation.Reason) {
        val waiting = synchronized(lock) {
            if (first != Cancellation.Reason.TIMEOUT || reason == Cancellation.Reason.TIMEOUT || second != null) return
            second = reason
            later
        }
        waiting?.complete(reason)
    }

    /** Calls [action] on the thread that calls [request], or at once if it was called. [action] must neither block nor throw. */
    fun whenRequested(action: () -> Unit) {
        if (!isAdded(action)) action()
    }

    override fun onRequest(action: Consumer<in Cancellation.Reason>): Cancellation.Hook {
        val isOpen = AtomicBoolean(true)
        val call = { if (isOpen.getAndSet(false)) call(action) }
        val hook = { Dispatchers.IO.asExecutor().execute(call) }
        if (!isAdded(hook)) {
            call()
            return Cancellation.Hook {}
        }
        return Cancellation.Hook {
            isOpen.set(false)
            synchronized(lock) { actions?.remove(hook) }
        }
    }

    /** False if a stop was requested before. */
    private fun isAdded(action: () -> Unit): Boolean = synchronized(lock) {
        if (first == null) (actions ?: ArrayList<() -> Unit>(1).also { actions = it }).add(action) else false
    }

    private fun call(action: Consumer<in Cancellation.Reason>) = try {
        action.accept(checkNotNull(first))
    } catch (failure: Throwable) {
        log.warn("A cancellation hook failed; the attempt is stopped nevertheless.", failure)
    }

    private companion object {
        val log = LoggerFactory.getLogger(AttemptCancellation::class.java)
    }
}
