package io.runledger.samples.demo

import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.jdk.ConsoleServer
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import java.io.InputStream
import java.net.URI

/** The ledger of the demo in the browser, for programs on this machine. */
internal class DemoConsole private constructor(private val console: Console, private val server: ConsoleServer) : AutoCloseable {
    val address: URI get() = server.address

    /** Returns when a line, or the end of [input], is read. */
    fun waitForEnter(input: InputStream) {
        println("\nThe console stays at $address until you press Enter.")
        while (input.read() !in listOf(END, NEW_LINE)) continue
    }

    override fun close() {
        server.close()
        console.close()
    }

    companion object {
        private const val END = -1
        private const val NEW_LINE = '\n'.code

        fun open(client: RunledgerClient): DemoConsole {
            val visitor = ConsoleUser("visitor of the demo", ConsoleRole.ADMINISTRATOR, Scope.everything())
            val console = Console.builder(client).access(ConsoleAccess.always(visitor)).build()
            return DemoConsole(console, ConsoleServer.start(console))
        }
    }
}
