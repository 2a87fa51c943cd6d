package io.runledger.console.security

import java.net.Socket
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers

/** Sends single requests as no browser would. The header `User` names the user, as for [io.runledger.console.Viewer]. */
class Stranger(private val address: URI) {
    private val http = HttpClient.newHttpClient()

    fun send(
        method: String,
        path: String,
        user: String?,
        headers: Map<String, String> = emptyMap(),
        body: String? = null,
    ): HttpResponse<String> {
        val publisher = if (body == null) BodyPublishers.noBody() else BodyPublishers.ofString(body)
        val request = HttpRequest.newBuilder(address.resolve(path)).method(method, publisher)
        user?.let { request.header("User", it) }
        headers.forEach { (name, value) -> request.header(name, value) }
        return http.send(request.build(), BodyHandlers.ofString())
    }

    /** Posts [fields] with a token that fits its cookie. */
    fun post(path: String, user: String?, fields: Map<String, String> = emptyMap()): HttpResponse<String> =
        send("POST", path, user, FORM + ("Cookie" to "runledger-form=$TOKEN"), form(fields + ("form-token" to TOKEN)))

    /** The answer to a request whose first line no client library would send. */
    fun raw(line: String): String = Socket(address.host, address.port).use { socket ->
        socket.soTimeout = 60_000
        socket.getOutputStream().write("$line\r\nHost: ${address.authority}\r\nConnection: close\r\n\r\n".toByteArray())
        socket.getInputStream().readAllBytes().decodeToString()
    }

    companion object {
        const val TOKEN = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        val FORM = mapOf("Content-Type" to "application/x-www-form-urlencoded")

        fun form(fields: Map<String, String>): String = fields.entries.joinToString("&") { (name, value) ->
            "${URLEncoder.encode(name, Charsets.UTF_8)}=${URLEncoder.encode(value, Charsets.UTF_8)}"
        }
    }
}
