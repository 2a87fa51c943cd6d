package io.runledger.coroutines.run

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.CoroutineContext

/**
 * Where handlers run unless the service says otherwise: on [threads], but a thread that was woken goes on while there is more
 * to do. A claim starts a thousand handlers at once, and to wake a thread for each costs more than most of them take.
 *
 * As many threads as there are take part: whoever takes something and sees more asks for one further thread, and while that is
 * asked for, nobody asks again. So a handler that blocks its thread holds up nobody as long as there is another.
 */
internal class HandlerDispatcher(private val threads: CoroutineDispatcher = Dispatchers.Default) : CoroutineDispatcher() {
    private val waiting = ConcurrentLinkedQueue<Runnable>()

    /** A thread is asked for and has not come yet. It will see whatever waits by then. */
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
            // After its turn a thread goes to the end of the line, behind whoever else wants one.
            if (waiting.isNotEmpty()) ask(context)
        }
    }

    private companion object {
        const val TURN = 64
    }
}
