package io.runledger.console.visit

import io.runledger.console.http.ConsoleRequest
import java.security.MessageDigest
import java.security.SecureRandom
import java.util.Base64

/**
 * Lets posted forms through only if this console has made them: the token of the form must equal the one in a cookie that other
 * sites can neither read nor send, and the browser must say that the request comes from the same site.
 */
internal class Guard(nanoTime: () -> Long = System::nanoTime) {
    private val random = SecureRandom()
    private val allowances = Allowances(BURST, PER_MINUTE, nanoTime)

    /** The token that the browser already has; null if it has none or the cookie was not made here. */
    fun tokenOf(request: ConsoleRequest): String? = request.cookie(COOKIE)?.takeIf { TOKEN.matches(it) }

    fun newToken(): String =
        ByteArray(TOKEN_BYTES).also(random::nextBytes).let(Base64.getUrlEncoder().withoutPadding()::encodeToString)

    fun cookie(request: ConsoleRequest, token: String): String =
        "$COOKIE=$token; Path=${request.base.ifEmpty { "/" }}; HttpOnly; SameSite=Strict" +
            if (request.isSecure) "; Secure" else ""

    /** Why the posted form is refused; null if it is not. */
    fun refusal(request: ConsoleRequest): String? {
        val site = request.header("Sec-Fetch-Site")
        val origin = request.header("Origin")
        return when {
            site != null && site != "same-origin" -> "The form was sent by another site."

            site == null && origin != null && origin != "null" && hostOf(origin) != request.header("Host") ->
                "The form was sent by another site."

            !isSame(request.form[FIELD], tokenOf(request)) -> "The form is too old, or cookies are off. Load the page again."

            else -> null
        }
    }

    /** Whether [user] may act now. A person never needs as many actions; a script that does is slowed down. */
    fun allows(user: String): Boolean = allowances.take(user)

    private fun isSame(given: String?, expected: String?): Boolean = given != null && expected != null &&
        MessageDigest.isEqual(given.toByteArray(), expected.toByteArray())

    private fun hostOf(origin: String): String = origin.substringAfter("://", "")

    companion object {
        /** The field of a form that holds the token. */
        const val FIELD = "form-token"

        private const val COOKIE = "runledger-form"
        private const val TOKEN_BYTES = 24
        private val TOKEN = Regex("[A-Za-z0-9_-]{32}")
        private const val BURST = 30.0
        private const val PER_MINUTE = 60.0
    }
}
