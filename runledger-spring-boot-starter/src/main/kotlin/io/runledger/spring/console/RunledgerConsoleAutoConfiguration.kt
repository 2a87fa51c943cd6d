package io.runledger.spring.console

import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.servlet.ConsoleServlet
import io.runledger.exposed.RunledgerClient
import io.runledger.spring.RunledgerAutoConfiguration
import io.runledger.spring.RunledgerProperties
import io.runledger.spring.RunledgerProperties.Console.Access
import io.runledger.spring.setting
import jakarta.servlet.Servlet
import org.slf4j.LoggerFactory
import org.springframework.beans.factory.ObjectProvider
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.boot.web.servlet.ServletRegistrationBean
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.ImportRuntimeHints

/** The console of the ledger as a servlet of the application, if `runledger-console` is on the class path. */
@AutoConfiguration(after = [RunledgerAutoConfiguration::class])
@ConditionalOnClass(Console::class, Servlet::class, ServletRegistrationBean::class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = ["runledger.enabled", "runledger.console.enabled"], matchIfMissing = true)
@ConditionalOnBean(RunledgerClient::class)
@EnableConfigurationProperties(RunledgerProperties::class)
@ImportRuntimeHints(ConsoleHints::class)
public class RunledgerConsoleAutoConfiguration {
    /** Who may use the console. A bean of the application wins. */
    @Bean
    @ConditionalOnMissingBean
    public fun runledgerConsoleAccess(properties: RunledgerProperties): ConsoleAccess = when (properties.console.access) {
        Access.ROLES -> RoleAccess(properties.console.roles)
        Access.LOCAL -> LocalAccess()
    }

    /** The console. */
    @Bean(CONSOLE)
    @ConditionalOnMissingBean(name = [CONSOLE])
    public fun runledgerConsole(
        client: RunledgerClient,
        access: ConsoleAccess,
        customizers: ObjectProvider<RunledgerConsoleCustomizer>,
    ): Console {
        val builder = Console.builder(client).access(access)
        customizers.orderedStream().forEach { it.customize(builder) }
        return builder.build()
    }

    /** Its servlet. */
    @Bean(REGISTRATION)
    @ConditionalOnMissingBean(name = [REGISTRATION])
    public fun runledgerConsoleRegistration(console: Console, properties: RunledgerProperties): RunledgerConsoleRegistration {
        lateinit var registration: RunledgerConsoleRegistration
        setting("console.path", properties.console.path) { registration = RunledgerConsoleRegistration(console, it) }
        log.info("The console of the ledger is at {}.", properties.console.path)
        return registration
    }

    internal companion object {
        const val CONSOLE: String = "runledgerConsole"
        const val REGISTRATION: String = "runledgerConsoleRegistration"
        private val log = LoggerFactory.getLogger(RunledgerConsoleAutoConfiguration::class.java)
    }
}

/** Changes the console that Spring Boot builds. Every bean of this type is called, in the order of its `@Order`. */
public fun interface RunledgerConsoleCustomizer {
    /** Changes settings of [builder], which already has its access. */
    public fun customize(builder: Console.Builder)
}
