package io.runledger.console

import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.jdk.ConsoleServer
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers

/** A console of a fresh ledger on the JDK's server. The header `User` of a request names the user: see [user]. */
class ConsoleBench(settings: Console.Builder.() -> Unit = {}) : AutoCloseable {
    val ledger: TestLedger = TestLedger.fresh()
    val client get() = ledger.client
    val users = HashMap<String, ConsoleUser>()
    val console = Console.builder(client)
        .access(ConsoleAccess { request -> request.header("User")?.let(users::get) })
        .apply(settings)
        .build()
    private var server = ConsoleServer.start(console, base = BASE)

    /** The address of the console, with a slash at its end. */
    val home: String get() = "${server.address}/"

    /** Where the server is, without the path of the console. */
    val address: URI get() = server.address.resolve("/")

    /** A browser of a new user, without scripts. */
    fun viewer(name: String, role: ConsoleRole = ConsoleRole.OPERATOR, scope: Scope = Scope.everything()): Viewer {
        users[name] = ConsoleUser(name, role, scope)
        return Viewer(server.address, name)
    }

    /** Ends the server, as a service does that is started anew. Browsers lose their connections. */
    fun stopServer() = server.close()

    /** Starts the server again, at the same address. */
    fun startServer() {
        server = ConsoleServer.start(console, server.address.port, BASE)
    }

    override fun close() {
        server.close()
        console.close()
        ledger.close()
    }

    companion object {
        const val BASE = "/runledger"
    }
}

/** Reads pages and posts forms as a browser without scripts does. Does not follow redirects. */
class Viewer(private val address: URI, private val user: String) {
    private val http = HttpClient.newHttpClient()
    private var cookie: String? = null

    fun get(path: String, vararg headers: Pair<String, String>): HttpResponse<String> =
        send(request(path, headers.toList()).GET())

    /** Posts a form as the page at [page] would: with the form token that the page has. */
    fun post(path: String, page: String, vararg fields: Pair<String, String>): HttpResponse<String> {
        val token = checkNotNull(TOKEN.find(get(page).body())) { "The page $page has no form." }.groupValues[1]
        return postRaw(path, listOf("form-token" to token) + fields)
    }

    /** Posts [fields] as they are. */
    fun postRaw(path: String, fields: List<Pair<String, String>>, vararg headers: Pair<String, String>): HttpResponse<String> {
        val form = fields.joinToString("&") { (name, value) -> "${encoded(name)}=${encoded(value)}" }
        return send(
            request(path, headers.toList() + ("Content-Type" to "application/x-www-form-urlencoded"))
                .POST(BodyPublishers.ofString(form)),
        )
    }

    private fun request(path: String, headers: List<Pair<String, String>>): HttpRequest.Builder {
        val request = HttpRequest.newBuilder(address.resolve(ConsoleBench.BASE + path)).header("User", user)
        cookie?.let { request.header("Cookie", it) }
        headers.forEach { (name, value) -> request.header(name, value) }
        return request
    }

    private fun send(request: HttpRequest.Builder): HttpResponse<String> =
        http.send(request.build(), BodyHandlers.ofString()).also {
            it.headers().firstValue("Set-Cookie").ifPresent { set -> cookie = set.substringBefore(';') }
        }

    private fun encoded(text: String) = URLEncoder.encode(text, Charsets.UTF_8)

    private companion object {
        val TOKEN = Regex("name=\"form-token\" value=\"([^\"]+)\"")
    }
}
