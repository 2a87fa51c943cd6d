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
import java.util.concurrent.atomic.AtomicReference
import java.util.function.Consumer

/** The cancellation of an attempt: the first reason wins. Hooks run on other threads than the loops and cannot block them. */
internal class AttemptCancellation : Cancellation {
    private val first = AtomicReference<Cancellation.Reason>()
    private val requested = CompletableDeferred<Cancellation.Reason>()
    private val later = CompletableDeferred<Cancellation.Reason>()

    /** Why the handler was stopped before it returned an outcome; null if it ended by itself. */
    @Volatile
    var stopped: Cancellation.Reason? = null

    /** The handler, if it is still running although it was asked to stop. */
    @Volatile
    var stuck: Job? = null

    /** The first other reason after a timeout. It can change the settlement of the attempt. */
    val afterTimeout: Deferred<Cancellation.Reason> get() = later

    override fun reason(): Optional<Cancellation.Reason> = Optional.ofNullable(first.get())

    /** Whether no further reason can change the settlement of the attempt. After a timeout alone, another reason still can. */
    fun isOver(): Boolean = later.isCompleted || first.get().let { it != null && it != Cancellation.Reason.TIMEOUT }

    /** Asks the attempt to stop; returns false if it was asked before. */
    fun request(reason: Cancellation.Reason): Boolean {
        if (first.compareAndSet(null, reason)) return requested.complete(reason)
        if (first.get() == Cancellation.Reason.TIMEOUT && reason != Cancellation.Reason.TIMEOUT) later.complete(reason)
        return false
    }

    /** Calls [action] on the thread that calls [request], or at once if it was called. [action] must neither block nor throw. */
    fun whenRequested(action: () -> Unit) {
        requested.invokeOnCompletion { action() }
    }

    override fun onRequest(action: Consumer<in Cancellation.Reason>): Cancellation.Hook {
        val isOpen = AtomicBoolean(true)
        val call = { if (isOpen.getAndSet(false)) call(action) }
        first.get()?.let {
            call()
            return Cancellation.Hook {}
        }
        val handle = requested.invokeOnCompletion { Dispatchers.IO.asExecutor().execute(call) }
        return Cancellation.Hook {
            isOpen.set(false)
            handle.dispose()
        }
    }

    private fun call(action: Consumer<in Cancellation.Reason>) = try {
        action.accept(first.get())
    } catch (failure: Throwable) {
        log.warn("A cancellation hook failed; the attempt is stopped nevertheless.", failure)
    }

    private companion object {
        val log = LoggerFactory.getLogger(AttemptCancellation::class.java)
    }
}
