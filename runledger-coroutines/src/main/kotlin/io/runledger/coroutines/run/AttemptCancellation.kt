package io.runledger.coroutines.run

import io.runledger.model.run.Cancellation
import kotlinx.coroutines.CompletableDeferred
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

    override fun reason(): Optional<Cancellation.Reason> = Optional.ofNullable(first.get())

    /** Asks to stop; false when that has been asked before. */
    fun request(reason: Cancellation.Reason): Boolean {
        if (!first.compareAndSet(null, reason)) return false
        return requested.complete(reason)
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
