package io.runledger.coroutines.run

import io.runledger.model.run.Cancellation
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor
import org.slf4j.LoggerFactory
import java.util.Optional
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicReference
import java.util.function.Consumer

/** The attempt's one cancellation: the first reason wins, hooks run beside the loops and cannot hold them up. */
internal class AttemptCancellation : Cancellation {
    private val first = AtomicReference<Cancellation.Reason>()
    private val requested = CompletableDeferred<Cancellation.Reason>()
    private val later = CompletableDeferred<Cancellation.Reason>()

    /** What else came after the timeout of an attempt: then there is more to say about it than that its time was up. */
    val afterTimeout: Deferred<Cancellation.Reason> get() = later

    override fun reason(): Optional<Cancellation.Reason> = Optional.ofNullable(first.get())

    /** Whether nothing that may still happen changes how the attempt ends: of a timeout alone this is not so. */
    fun isOver(): Boolean = later.isCompleted || first.get().let { it != null && it != Cancellation.Reason.TIMEOUT }

    /** Asks to stop; false when that has been asked before. */
    fun request(reason: Cancellation.Reason): Boolean {
        if (first.compareAndSet(null, reason)) return requested.complete(reason)
        if (first.get() == Cancellation.Reason.TIMEOUT && reason != Cancellation.Reason.TIMEOUT) later.complete(reason)
        return false
    }

    /** Calls [action] on the thread that asks to stop, or at once if that has been asked. It must neither block nor throw. */
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
        log.warn("A cancellation hook failed; the attempt is stopped all the same.", failure)
    }

    private companion object {
        val log = LoggerFactory.getLogger(AttemptCancellation::class.java)
    }
}
