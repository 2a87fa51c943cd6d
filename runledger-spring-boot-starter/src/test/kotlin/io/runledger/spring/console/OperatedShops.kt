package io.runledger.spring.console

import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import jakarta.servlet.Filter
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.web.servlet.FilterRegistrationBean
import org.springframework.context.annotation.Bean
import org.springframework.security.config.Customizer.withDefaults
import org.springframework.security.config.annotation.web.builders.HttpSecurity
import org.springframework.security.core.userdetails.User
import org.springframework.security.core.userdetails.UserDetailsService
import org.springframework.security.provisioning.InMemoryUserDetailsManager
import org.springframework.security.web.SecurityFilterChain
import java.net.Socket
import java.time.Duration
import java.util.UUID
import javax.sql.DataSource

/** An application whose users sign in. */
@SpringBootConfiguration(proxyBeanMethods = false)
class SecuredShop {
    @Bean
    fun security(http: HttpSecurity): SecurityFilterChain = http
        .authorizeHttpRequests { it.anyRequest().authenticated() }
        .httpBasic(withDefaults())
        .csrf { it.ignoringRequestMatchers("/runledger/**") }
        .build()

    @Bean
    fun users(): UserDetailsService = InMemoryUserDetailsManager(
        listOf(
            "vera" to "RUNLEDGER_VIEWER",
            "otto" to "RUNLEDGER_OPERATOR",
            "ada" to "RUNLEDGER_ADMINISTRATOR",
            "cleo" to "CUSTOMER",
        )
            .map { (name, role) -> User.withUsername(name).password("{noop}$name").roles(role).build() },
    )
}

/** An application that says itself who its users are, as one with a sign-in of its own does. */
@SpringBootConfiguration(proxyBeanMethods = false)
class OwnAccess {
    @Bean
    fun access() = ConsoleAccess { request ->
        request.header("User")?.let { ConsoleUser(it, ConsoleRole.OPERATOR, Scope.everything()) }
    }

    @Bean
    fun prompt() = RunledgerConsoleCustomizer { it.refreshInterval(Duration.ofMillis(50)) }
}

/** A filter that reads the parameters of a request before the servlet does. */
@SpringBootConfiguration(proxyBeanMethods = false)
class ReadingFilter {
    @Bean
    fun reading() = FilterRegistrationBean(
        Filter { request, response, chain ->
            request.getParameter("anything")
            chain.doFilter(request, response)
        },
    )
}

/** A second ledger with a console of its own, for one organization. */
@SpringBootConfiguration(proxyBeanMethods = false)
class AuditConsole {
    @Bean(defaultCandidate = false)
    @Qualifier("audit")
    fun auditLedger(dataSource: DataSource): RunledgerClient =
        RunledgerClient.builder(dataSource).schema("audit").build().also { it.migrate() }

    @Bean
    fun consoleOfAudit(@Qualifier("audit") ledger: RunledgerClient): RunledgerConsoleRegistration {
        val console = Console.builder(ledger)
            .access(ConsoleAccess.always(ConsoleUser("auditor", ConsoleRole.VIEWER, Scope.organization(UUID.randomUUID()))))
            .build()
        return RunledgerConsoleRegistration(console, "/audit")
    }
}

/** The first line of the answer to a request for a host that the client library would not send. */
fun rawGet(port: Int, path: String, host: String): String = Socket("127.0.0.1", port).use { socket ->
    socket.soTimeout = 60_000
    socket.getOutputStream().write("GET $path HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n".toByteArray())
    socket.getInputStream().bufferedReader().readLine()
}
