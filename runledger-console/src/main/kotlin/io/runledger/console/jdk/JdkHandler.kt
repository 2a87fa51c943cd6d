package io.runledger.console.jdk

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpHandler
import io.runledger.console.Console
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import java.io.IOException
import java.io.InputStream
import java.util.concurrent.LinkedBlockingQueue

/** Passes requests of the JDK's server to a console. */
internal class JdkHandler(private val console: Console, private val base: String) : HttpHandler {
    override fun handle(exchange: HttpExchange) {
        exchange.use {
            val response = console.answer(JdkRequest(exchange, base))
            response.headers.forEach { (name, value) -> exchange.responseHeaders.add(name, value) }
            when (val body = response.body) {
                is ConsoleResponse.Bytes -> bytes(exchange, response.status, body.bytes)
                is ConsoleResponse.Events -> events(exchange, response.status, body)
            }
        }
    }

    private fun bytes(exchange: HttpExchange, status: Int, bytes: ByteArray) {
        if (exchange.requestMethod == "HEAD" || bytes.isEmpty()) {
            exchange.sendResponseHeaders(status, NO_BODY)
        } else {
            exchange.sendResponseHeaders(status, bytes.size.toLong())
            exchange.responseBody.write(bytes)
        }
    }

    /** Keeps the thread of the request until the stream ends. */
    private fun events(exchange: HttpExchange, status: Int, events: ConsoleResponse.Events) {
        exchange.sendResponseHeaders(status, UNKNOWN_LENGTH)
        val frames = FrameQueue()
        try {
            events.open(frames).use {
                while (true) {
                    val frame = frames.next() ?: break
                    exchange.responseBody.write(frame.toByteArray())
                    exchange.responseBody.flush()
                }
            }
        } catch (_: IOException) {
            // The browser has left.
        } catch (_: InterruptedException) {
            Thread.currentThread().interrupt()
        } finally {
            frames.end()
        }
    }

    /** Frames on their way to a browser. One that does not read them is disconnected. */
    private class FrameQueue : EventSink {
        private val frames = LinkedBlockingQueue<String>(CAPACITY)

        @Volatile
        private var isOver = false

        fun next(): String? = frames.take().takeUnless { it === END }

        override fun send(text: String) {
            if (isOver || !frames.offer(text)) throw IOException("The browser does not read its events.")
        }

        override fun end() {
            isOver = true
            frames.clear()
            frames.offer(END)
        }
    }

    private companion object {
        const val NO_BODY = -1L
        const val UNKNOWN_LENGTH = 0L
        const val CAPACITY = 16
        val END = String(charArrayOf())
    }
}

private class JdkRequest(private val exchange: HttpExchange, base: String) :
    ConsoleRequest(
        exchange.requestMethod,
        base,
        exchange.requestURI.rawPath.removePrefix(base).ifEmpty { "/" },
        exchange.requestURI.rawQuery,
        isSecure = false,
    ) {
    override val native: Any get() = exchange

    override fun header(name: String): String? = exchange.requestHeaders.getFirst(name)

    override fun body(): InputStream = exchange.requestBody
}
