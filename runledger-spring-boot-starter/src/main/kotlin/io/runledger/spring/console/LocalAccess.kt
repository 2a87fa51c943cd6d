package io.runledger.spring.console

import io.runledger.console.access.AccessRefusedException
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.http.ConsoleRequest
import io.runledger.model.ledger.Scope
import jakarta.servlet.http.HttpServletRequest
import org.slf4j.LoggerFactory
import java.net.InetAddress

/**
 * Any program on the same machine, without a sign-in. A request that a proxy has passed on comes from elsewhere, and one for
 * another name than that of this machine was sent by a page of another site.
 */
internal class LocalAccess : ConsoleAccess {
    init {
        log.warn(
            "Every program on this machine may use the console as an administrator, without a sign-in " +
                "(runledger.console.access=local). Use this for development only.",
        )
    }

    override fun userOf(request: ConsoleRequest): ConsoleUser {
        val servlet = request.hostRequest() as HttpServletRequest
        val isLocal = InetAddress.getByName(servlet.remoteAddr).isLoopbackAddress &&
            servlet.serverName.removeSurrounding("[", "]") in names &&
            passedOn.none { request.header(it) != null }
        if (isLocal) return user
        throw AccessRefusedException(
            "The console can be used only on the machine on which it runs (runledger.console.access=local).",
            isSignedIn = true,
        )
    }

    private companion object {
        val user = ConsoleUser(System.getProperty("user.name") ?: "local", ConsoleRole.ADMINISTRATOR, Scope.everything())
        val names = setOf("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1")
        val passedOn = listOf("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
        val log = LoggerFactory.getLogger(LocalAccess::class.java)
    }
}
