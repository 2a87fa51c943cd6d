package io.runledger.coroutines.run

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.CoroutineContext

/**
 * The default dispatcher of handlers. It uses [threads], but a woken thread runs further blocks while the queue is not empty. A
 * claim can start a thousand handlers at once, and waking a thread for each costs more than most handlers take.
 *
 * All threads can take part: a thread that takes a block and sees more requests one further thread. While a request is pending,
 * no thread requests another. So a handler that blocks its thread delays no other as long as a thread is free.
 */
internal class HandlerDispatcher(private val threads: CoroutineDispatcher = Dispatchers.Default) : CoroutineDispatcher() {
    private val waiting = ConcurrentLinkedQueue<Runnable>()

    /** Whether a thread is requested and has not started yet. It will see all blocks queued by then. */
    private val isAsked = AtomicBoolean()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        waiting += block
        ask(context)
    }

    private fun ask(context: CoroutineContext) {
        if (isAsked.compareAndSet(false, true)) threads.dispatch(context) { help(context) }
    }

    private fun help(context: CoroutineContext) {
        isAsked.set(false)
        try {
            repeat(TURN) {
                val block = waiting.poll() ?: return
                if (waiting.isNotEmpty()) ask(context)
                block.run()
            }
        } finally {
            // After its turn the thread returns to the pool, so that other users of the pool are served first.
            if (waiting.isNotEmpty()) ask(context)
        }
    }

    private companion object {
        const val TURN = 64
    }
}
