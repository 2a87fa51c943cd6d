package io.runledger.console.servlet

import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import jakarta.servlet.AsyncContext
import jakarta.servlet.AsyncEvent
import jakarta.servlet.AsyncListener
import jakarta.servlet.WriteListener
import java.io.IOException

/**
 * Frames on their way to one browser. They are written by the thread that sends them while the browser reads them, else by the
 * container when it can take more. No call waits. A browser that falls [CAPACITY] frames behind is disconnected.
 */
internal class EventStream(private val context: AsyncContext) : EventSink {
    private val output = context.response.outputStream
    private val frames = ArrayDeque<ByteArray>()
    private var subscription: AutoCloseable? = null

    /** The container has asked for the first frame. */
    private var isOpen = false
    private var isOver = false
    private var isFlushDue = false

    /** Sends [events] until the browser or the console ends them. Called by the thread of the request. */
    fun begin(events: ConsoleResponse.Events) {
        context.timeout = NO_LIMIT
        context.addListener(Ending())
        val opened = events.open(this)
        val isLate = synchronized(this) {
            subscription = opened
            isOver
        }
        if (isLate) opened.close() else output.setWriteListener(Writing())
    }

    override fun send(text: String) = synchronized(this) {
        if (isOver || frames.size >= CAPACITY) throw IOException("The browser does not read its events.")
        frames += text.toByteArray()
        if (isOpen) write()
    }

    override fun end() {
        if (!over()) return
        try {
            context.complete()
        } catch (_: IllegalStateException) {
            // The container has ended the request already.
        }
    }

    /** Whether this call has ended the stream. */
    private fun over(): Boolean {
        val ended = synchronized(this) {
            if (isOver) return false
            isOver = true
            frames.clear()
            subscription
        }
        ended?.close()
        return true
    }

    private val isWorkLeft: Boolean get() = !isOver && (frames.isNotEmpty() || isFlushDue)

    private fun write() {
        while (isWorkLeft && output.isReady) {
            if (frames.isEmpty()) {
                isFlushDue = false
                output.flush()
            } else {
                isFlushDue = true
                output.write(frames.removeFirst())
            }
        }
    }

    private inner class Writing : WriteListener {
        override fun onWritePossible() = synchronized(this@EventStream) {
            isOpen = true
            write()
        }

        override fun onError(failure: Throwable) = end()
    }

    private inner class Ending : AsyncListener {
        override fun onComplete(event: AsyncEvent) {
            over()
        }

        override fun onTimeout(event: AsyncEvent) = end()

        override fun onError(event: AsyncEvent) = end()

        override fun onStartAsync(event: AsyncEvent) = Unit
    }

    private companion object {
        const val CAPACITY = 16
        const val NO_LIMIT = 0L
    }
}
