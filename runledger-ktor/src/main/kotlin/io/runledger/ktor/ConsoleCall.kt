package io.runledger.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpHeaders
import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.http.content.ByteArrayContent
import io.ktor.http.content.OutgoingContent
import io.ktor.server.application.ApplicationCall
import io.ktor.server.plugins.origin
import io.ktor.server.request.httpMethod
import io.ktor.server.request.httpVersion
import io.ktor.server.request.path
import io.ktor.server.request.queryString
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.header
import io.ktor.server.response.respond
import io.ktor.server.response.respondBytesWriter
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.jvm.javaio.toInputStream
import io.ktor.utils.io.writeStringUtf8
import io.runledger.console.Console
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.job
import kotlinx.coroutines.withContext
import java.io.IOException
import java.io.InputStream

/** Lets [console] answer the call. The console may wait for the database, so it does that on a thread that may block. */
internal suspend fun ApplicationCall.answer(console: Console) {
    val body = if (request.httpMethod == HttpMethod.Post) receiveChannel() else null
    val answer = withContext(Dispatchers.IO) { console.answer(KtorConsoleRequest(this@answer, body)) }
    answer.headers.forEach { (name, value) -> if (name != HttpHeaders.ContentType) response.header(name, value) }
    val status = HttpStatusCode.fromValue(answer.status)
    val type = answer.headers.firstOrNull { it.key == HttpHeaders.ContentType }?.let { ContentType.parse(it.value) }
    when (val content = answer.body) {
        is ConsoleResponse.Bytes ->
            if (request.httpMethod == HttpMethod.Head) {
                respond(OnlyHeaders(type, status, content.bytes.size.toLong()))
            } else {
                respond(ByteArrayContent(content.bytes, type, status))
            }

        is ConsoleResponse.Events -> events(content, type, status)
    }
}

/** The coroutine is suspended while there is nothing to send, and holds no thread. */
private suspend fun ApplicationCall.events(events: ConsoleResponse.Events, type: ContentType?, status: HttpStatusCode) {
    // The browser closes the connection after the stream. It would otherwise be idle, and CIO waits for idle connections when it
    // stops. HTTP/2 has no such header.
    if (request.httpVersion.startsWith("HTTP/1")) response.header(HttpHeaders.Connection, "close")
    respondBytesWriter(type, status) {
        val frames = FrameChannel(currentCoroutineContext().job)
        events.open(frames).use {
            for (frame in frames.channel) {
                writeStringUtf8(frame)
                flush()
            }
        }
    }
}

/** Frames on their way to a browser. One that does not read them is disconnected. */
private class FrameChannel(private val writer: Job) : EventSink {
    val channel = Channel<String>(CAPACITY)

    override fun send(text: String) {
        if (channel.trySend(text).isSuccess) return
        val failure = IOException("The browser does not read its events.")
        writer.cancel(CancellationException(failure.message, failure))
        throw failure
    }

    override fun end() {
        channel.close()
    }

    private companion object {
        const val CAPACITY = 16
    }
}

private class OnlyHeaders(
    override val contentType: ContentType?,
    override val status: HttpStatusCode,
    override val contentLength: Long,
) : OutgoingContent.NoContent()

private class KtorConsoleRequest(private val call: ApplicationCall, private val content: ByteReadChannel?) :
    ConsoleRequest(
        call.request.httpMethod.value,
        baseOf(call),
        call.request.path().trimEnd('/').removePrefix(baseOf(call)).ifEmpty { "/" },
        call.request.queryString(),
        call.request.origin.scheme == "https",
    ) {
    override fun hostRequest(): Any = call

    override fun header(name: String): String? = call.request.headers[name]

    override fun body(): InputStream = content?.toInputStream() ?: InputStream.nullInputStream()

    private companion object {
        /** The path of the request, as it was sent, without the parts below the console. */
        fun baseOf(call: ApplicationCall): String {
            val below = call.parameters.getAll(BELOW).orEmpty().count { it.isNotEmpty() }
            return (1..below).fold(call.request.path().trimEnd('/')) { path, _ -> path.substringBeforeLast('/').trimEnd('/') }
        }
    }
}
