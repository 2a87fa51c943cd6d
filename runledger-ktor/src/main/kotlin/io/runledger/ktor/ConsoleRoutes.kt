package io.runledger.ktor

import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.ApplicationStopPreparing
import io.ktor.server.application.ApplicationStopping
import io.ktor.server.application.plugin
import io.ktor.server.routing.Route
import io.ktor.server.routing.application
import io.ktor.server.routing.route
import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleUser

/**
 * Mounts a console of [ledger] at [path] and below it. [user] says who sends a call; null refuses it with 401. Put the route
 * inside `authenticate { }`, and read the principal. The console is closed when the application stops.
 *
 * Needs the dependency `runledger-console`.
 */
public fun Route.runledgerConsole(
    path: String = "/runledger",
    ledger: LedgerPlugin = Runledger,
    settings: Console.Builder.() -> Unit = {},
    user: (ApplicationCall) -> ConsoleUser?,
): Console {
    val console = Console.builder(application.plugin(ledger).client).access(consoleAccess(user)).apply(settings).build()
    application.monitor.subscribe(ApplicationStopping) { if (it === application) console.close() }
    runledgerConsole(console, path)
    return console
}

/** Mounts [console] at [path] and below it. Its access is [consoleAccess], or another one that knows the calls of Ktor. */
public fun Route.runledgerConsole(console: Console, path: String = "/runledger") {
    // The engine waits for open calls when it stops, and a stream would be one for as long as its page is open.
    application.monitor.subscribe(ApplicationStopPreparing) { if (it === application.environment) console.endStreams() }
    route("${path.trimEnd('/')}/{$BELOW...}") {
        handle { call.answer(console) }
    }
}

/** Access for a [Console] that is mounted in Ktor. [user] says who sends a call, or null. */
public fun consoleAccess(user: (ApplicationCall) -> ConsoleUser?): ConsoleAccess =
    ConsoleAccess { user(it.hostRequest() as ApplicationCall) }

/** The parameter of the route that holds the path below the console. */
internal const val BELOW: String = "runledgerConsolePath"
