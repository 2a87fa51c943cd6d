package io.runledger.console.jdk

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpHandler
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import java.io.IOException

/** Passes requests of the JDK's server on and writes the answers. */
internal class JdkHandler(private val base: String, private val answer: (ConsoleRequest) -> ConsoleResponse) : HttpHandler {
    override fun handle(exchange: HttpExchange) {
        exchange.use {
            // The JDK's server also calls with paths that only begin like the base, such as /runledger-old.
            val below = exchange.requestURI.rawPath.orEmpty().removePrefix(base)
            if (below.isNotEmpty() && !below.startsWith("/")) {
                exchange.sendResponseHeaders(NOT_FOUND, NO_BODY)
            } else {
                write(exchange, answer(JdkRequest(exchange, base, below.ifEmpty { "/" })))
            }
        }
    }

    private fun write(exchange: HttpExchange, response: ConsoleResponse) {
        response.headers.forEach { (name, value) -> exchange.responseHeaders.add(name, value) }
        when (val body = response.body) {
            is ConsoleResponse.Bytes -> bytes(exchange, response.status, body.bytes)
            is ConsoleResponse.Events -> events(exchange, response.status, body)
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

    private companion object {
        const val NO_BODY = -1L
        const val NOT_FOUND = 404
        const val UNKNOWN_LENGTH = 0L
    }
}
