package io.runledger.console.servlet

import io.runledger.console.Console
import io.runledger.console.http.ConsoleResponse
import jakarta.servlet.http.HttpServlet
import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.HttpServletResponse
import org.slf4j.LoggerFactory

/**
 * A console as a servlet of Jakarta Servlet 6. Map it to a path and everything below it. The host closes the
 * console after the servlet.
 *
 * Pages that are open hold a request, but no thread. The servlet and the filters in front of it must be registered with
 * `asyncSupported`. Without it the pages work, and do not change by themselves.
 *
 * The request of the container is [io.runledger.console.http.ConsoleRequest.hostRequest], for a
 * [io.runledger.console.access.ConsoleAccess] that asks for its user or the user's roles.
 */
public class ConsoleServlet(@Transient private val console: Console) : HttpServlet() {
    @Transient
    @Volatile
    private var hasWarned = false

    override fun service(request: HttpServletRequest, response: HttpServletResponse) {
        val answer = console.answer(ServletConsoleRequest(request))
        when (val body = answer.body) {
            is ConsoleResponse.Bytes -> bytes(request, response, answer, body.bytes)
            is ConsoleResponse.Events -> events(request, response, answer, body)
        }
    }

    private fun bytes(request: HttpServletRequest, response: HttpServletResponse, answer: ConsoleResponse, bytes: ByteArray) {
        begin(response, answer)
        response.setContentLength(bytes.size)
        if (request.method != "HEAD") response.outputStream.write(bytes)
    }

    private fun events(
        request: HttpServletRequest,
        response: HttpServletResponse,
        answer: ConsoleResponse,
        events: ConsoleResponse.Events,
    ) {
        if (!request.isAsyncSupported) {
            warnOnce()
            response.status = HttpServletResponse.SC_SERVICE_UNAVAILABLE
            return
        }
        begin(response, answer)
        EventStream(request.startAsync(request, response)).begin(events)
    }

    private fun begin(response: HttpServletResponse, answer: ConsoleResponse) {
        response.status = answer.status
        answer.headers.forEach { (name, value) ->
            if (name == "Content-Type") {
                response.contentType = value
            } else {
                response.addHeader(name, value)
            }
        }
    }

    private fun warnOnce() {
        if (hasWarned) return
        hasWarned = true
        log.warn(
            "Open pages of the console do not change by themselves: register its servlet, and each filter in front of it, with " +
                "asyncSupported=true.",
        )
    }

    private companion object {
        const val serialVersionUID = 1L
        val log = LoggerFactory.getLogger(ConsoleServlet::class.java)
    }
}
