package io.runledger.console.app

import com.sun.net.httpserver.HttpExchange
import io.runledger.console.access.AccessRefusedException
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.PROTECTION
import io.runledger.console.visit.Allowances
import java.security.MessageDigest
import java.util.Map.entry

/** Exchanges the token that the program prints for the cookie of a session. The token does not stay in the address bar. */
internal class SignIn(
    port: Int,
    private val sessions: Sessions = Sessions(),
    private val attempts: Allowances = Allowances(5.0, 5.0),
) {
    /** Cookies do not distinguish the ports of a machine; two consoles have different names. */
    private val cookie = "runledger-session-$port"

    val token: String = sessions.newSecret()

    /** Answers requests for the two addresses of this class; null for others. */
    fun answer(request: ConsoleRequest): ConsoleResponse? = when (request.path) {
        IN -> exchange(request)
        OUT -> signOut(request)
        else -> null
    }

    fun isSignedIn(request: ConsoleRequest): Boolean = sessions.isOpen(request.cookie(cookie))

    fun refusal() = AccessRefusedException("Open the address that the console has printed when it started.", isSignedIn = false)

    private fun exchange(request: ConsoleRequest): ConsoleResponse {
        val from = (request.hostRequest() as HttpExchange).remoteAddress.address.hostAddress
        val given = request.query["token"]
        return when {
            !attempts.has(from) -> text(TOO_MANY, "Too many wrong tokens: wait a minute.", entry("Retry-After", "60"))

            request.method != "GET" || given == null -> text(UNAUTHORIZED, refusal().message.orEmpty())

            !MessageDigest.isEqual(given.toByteArray(), token.toByteArray()) -> {
                attempts.take(from)
                text(UNAUTHORIZED, "The token is wrong. ${refusal().message}")
            }

            else -> goTo("/", sessions.open())
        }
    }

    /** A posted form ends the session. The cookie is not sent with a form of another site. */
    private fun signOut(request: ConsoleRequest): ConsoleResponse {
        if (request.method != "POST") return html(signOutPage())
        sessions.end(request.cookie(cookie))
        return text(OK, "You are signed out.", setCookie("", "; Max-Age=0"))
    }

    private fun goTo(path: String, session: String) =
        ConsoleResponse(SEE_OTHER, PROTECTION + entry("Location", path) + setCookie(session), ConsoleResponse.Bytes(ByteArray(0)))

    private fun setCookie(value: String, more: String = "") =
        entry("Set-Cookie", "$cookie=$value; Path=/; HttpOnly; SameSite=Strict$more")

    private fun text(status: Int, text: String, vararg headers: Map.Entry<String, String>) =
        answer(status, "text/plain; charset=utf-8", "$text\n", headers.asList())

    private fun html(text: String) = answer(OK, "text/html; charset=utf-8", text, emptyList())

    private fun answer(status: Int, contentType: String, text: String, headers: List<Map.Entry<String, String>>) =
        ConsoleResponse(
            status,
            PROTECTION + entry("Content-Type", contentType) + headers,
            ConsoleResponse.Bytes(text.toByteArray()),
        )

    companion object {
        const val IN = "/sign-in"
        const val OUT = "/sign-out"
        private const val OK = 200
        private const val SEE_OTHER = 303
        private const val UNAUTHORIZED = 401
        private const val TOO_MANY = 429
    }
}
