package io.runledger.console.app

import com.zaxxer.hikari.HikariDataSource
import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.jdk.ConsoleServer
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import java.io.IOException
import java.io.PrintStream
import java.net.BindException
import java.net.InetSocketAddress
import java.net.URI

/** A console in a process of its own: reads its options, connects, checks the ledger and serves it to those with the token. */
internal class ConsoleProgram(
    private val environment: Map<String, String>,
    private val out: PrintStream,
    private val err: PrintStream,
) {
    sealed interface Outcome

    /** The program has nothing more to do. */
    class Ended(val status: Int) : Outcome

    /** The console runs. [signIn] is the address with the token. */
    class Started(val signIn: URI, private val parts: List<AutoCloseable>) :
        Outcome,
        AutoCloseable {
        override fun close() = parts.forEach { it.close() }
    }

    fun start(arguments: List<String>): Outcome {
        if ("--help" in arguments) return said(Options.HELP)
        if ("--version" in arguments) return said("Runledger console $version")
        return try {
            open(Options.parse(arguments))
        } catch (refused: RefusedStartException) {
            err.println(refused.message)
            Ended(refused.status)
        }
    }

    private fun open(options: Options): Started {
        val password = Password(environment).of(options)
        val pools = listOfNotNull(options.url, options.replicaUrl).map { pool(it, options, password) }
        try {
            val clients = pools.map { clientOver(it, options) }
            clients.zip(pools) { client, pool -> LedgerCheck(options, password != null).check(client, pool.jdbcUrl) }
            return serve(options, clients, pools)
        } catch (failure: Exception) {
            pools.forEach { it.close() }
            throw failure
        }
    }

    private fun serve(options: Options, clients: List<RunledgerClient>, pools: List<HikariDataSource>): Started {
        val signIn = SignIn(options.port)
        val user = ConsoleUser(System.getProperty("user.name"), options.role, Scope.everything())
        val console = Console.builder(clients.first())
            .readWith(clients.last())
            .access(ConsoleAccess { request -> user.takeIf { signIn.isSignedIn(request) } ?: throw signIn.refusal() })
            .signOutAt(SignIn.OUT)
            .build()
        val server = try {
            ConsoleServer.start(InetSocketAddress(options.bind, options.port), "") { signIn.answer(it) ?: console.answer(it) }
        } catch (failure: IOException) {
            console.close()
            throw RefusedStartException(cannotListen(options, failure), cause = failure)
        }
        val address = server.address.resolve("${SignIn.IN}?token=${signIn.token}")
        tell(options, address)
        return Started(address, listOf(server, console) + pools)
    }

    private fun cannotListen(options: Options, failure: IOException): String = if (failure is BindException) {
        "Port ${options.port} of ${options.bind.hostAddress} cannot be used (${failure.message}): choose --port."
    } else {
        "The console cannot listen on port ${options.port}: ${failure.message}"
    }

    private fun tell(options: Options, address: URI) {
        out.println("Runledger console $version for the ledger '${options.schema}' of ${shown(options.url)}.")
        if (options.role == ConsoleRole.VIEWER) {
            out.println("It only reads. --role operator or --role administrator allows changes.")
        } else {
            out.println("Users who sign in may change things, as ${options.role.name.lowercase()}.")
        }
        if (!options.bind.isLoopbackAddress) {
            err.println(
                "Warning: the console listens on ${options.bind.hostAddress}, without encryption. Other machines can reach it, " +
                    "and read the token on its way. Put a proxy with TLS in front of it, or leave --bind away.",
            )
        }
        out.println("\nOpen $address\n\nStop it with Ctrl+C.")
    }

    private fun pool(url: String, options: Options, password: String?) = HikariDataSource().also {
        it.driverClassName = "org.postgresql.Driver"
        it.jdbcUrl = url
        it.username = options.user
        it.password = password
        it.maximumPoolSize = POOL_SIZE
        it.minimumIdle = 1
        it.connectionTimeout = CONNECT_MILLIS
        // The check of the ledger reports what is wrong with the connection.
        it.initializationFailTimeout = -1
        // A console that only reads cannot change a row, whatever its pages do.
        it.isReadOnly = options.role == ConsoleRole.VIEWER
        it.poolName = "runledger-console"
        it.addDataSourceProperty("ApplicationName", "runledger-console")
    }

    private fun clientOver(pool: HikariDataSource, options: Options): RunledgerClient = try {
        RunledgerClient.builder(pool).schema(options.schema).build()
    } catch (invalid: RuntimeException) {
        throw RefusedStartException("--schema ${options.schema}: ${invalid.message}", RefusedStartException.USAGE, invalid)
    }

    private fun said(text: String): Ended {
        out.println(text)
        return Ended(0)
    }

    private val version: String get() = javaClass.`package`.implementationVersion ?: "(development)"

    companion object {
        private const val POOL_SIZE = 8
        private const val CONNECT_MILLIS = 5_000L

        /** An address without its parameters, which can be secrets. */
        fun shown(url: String): String = url.substringBefore('?')
    }
}
