package io.runledger.spring.console

import io.runledger.console.Console
import io.runledger.console.servlet.ConsoleServlet
import org.springframework.beans.factory.DisposableBean
import org.springframework.boot.web.servlet.ServletRegistrationBean
import org.springframework.context.SmartLifecycle

/**
 * The servlet of [console] at [path], which begins with a slash and ends without one, and below it. Declare a bean of this type
 * for the console of a further ledger. The bean closes the console.
 *
 * It ends the streams of open pages before the web server waits for open requests, so that they do not delay the shutdown.
 */
public class RunledgerConsoleRegistration(private val console: Console, path: String) :
    ServletRegistrationBean<ConsoleServlet>(ConsoleServlet(console), "${checked(path)}/*"),
    SmartLifecycle,
    DisposableBean {
    @Volatile
    private var isStarted = false

    override fun start() {
        isStarted = true
    }

    override fun stop() {
        console.endStreams()
        isStarted = false
    }

    override fun isRunning(): Boolean = isStarted

    override fun destroy() {
        console.close()
    }

    private companion object {
        val allowed = Regex("(/[A-Za-z0-9._~-]+)+")

        fun checked(path: String): String = path.also {
            require(allowed.matches(it)) {
                "'$it' is no path for a console: give one that begins with a slash, such as /runledger."
            }
        }
    }
}
