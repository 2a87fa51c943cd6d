package io.runledger.console.jdk

import io.runledger.console.http.EventSink
import java.io.IOException
import java.util.concurrent.LinkedBlockingQueue

/** Frames on their way to a browser. One that does not read them is disconnected. */
internal class FrameQueue : EventSink {
    private val frames = LinkedBlockingQueue<String>(CAPACITY)

    @Volatile
    private var isOver = false

    /** Waits for the next frame; null ends the stream. */
    fun next(): String? = frames.take().takeUnless { it === END }

    override fun send(text: String) {
        if (isOver || !frames.offer(text)) throw IOException("The browser does not read its events.")
    }

    override fun end() {
        isOver = true
        frames.clear()
        frames.offer(END)
    }

    private companion object {
        const val CAPACITY = 16
        val END = String(charArrayOf())
    }
}
