package io.runledger.spring.console

import io.runledger.console.access.AccessRefusedException
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.http.ConsoleRequest
import io.runledger.model.ledger.Scope
import io.runledger.spring.RunledgerProperties.Console.Roles
import jakarta.servlet.http.HttpServletRequest
import org.slf4j.LoggerFactory
import java.util.concurrent.atomic.AtomicBoolean

/** The signed-in user of a request. The user's greatest role counts, and the user sees the whole ledger. */
internal class RoleAccess(private val roles: Roles) : ConsoleAccess {
    private val hasWarned = AtomicBoolean()

    override fun userOf(request: ConsoleRequest): ConsoleUser {
        val servlet = request.hostRequest() as HttpServletRequest
        val principal = servlet.userPrincipal ?: throw unknown(request.base)
        val role = ConsoleRole.entries.lastOrNull { role -> namesOf(role).any(servlet::isUserInRole) }
            ?: throw withoutRole(principal.name)
        return ConsoleUser(principal.name, role, Scope.everything())
    }

    private fun namesOf(role: ConsoleRole): List<String> = when (role) {
        ConsoleRole.VIEWER -> roles.viewer
        ConsoleRole.OPERATOR -> roles.operator
        ConsoleRole.ADMINISTRATOR -> roles.administrator
    }

    private fun unknown(path: String): AccessRefusedException {
        if (hasWarned.compareAndSet(false, true)) {
            log.warn(
                "A request to the console at {} has no signed-in user, so it was refused. Require a sign-in for this path, for " +
                    "example with Spring Security, or declare a bean of type ConsoleAccess. For development on this machine, set " +
                    "runledger.console.access=local.",
                path,
            )
        }
        return AccessRefusedException(
            "No user is signed in. The application must require a sign-in for $path, or say who the user is by a bean of type " +
                "ConsoleAccess. Its log has the details.",
            isSignedIn = false,
        )
    }

    private fun withoutRole(name: String): AccessRefusedException {
        log.info(
            "The user '{}' may not use the console: the user has none of the roles {} (runledger.console.roles).",
            name,
            ConsoleRole.entries.flatMap(::namesOf),
        )
        return AccessRefusedException(
            "You have no role that may use this console. Its roles are set by runledger.console.roles.",
            isSignedIn = true,
        )
    }

    private companion object {
        val log = LoggerFactory.getLogger(RoleAccess::class.java)
    }
}
