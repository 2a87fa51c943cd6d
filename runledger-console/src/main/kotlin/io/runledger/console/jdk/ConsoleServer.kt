package io.runledger.console.jdk

import com.sun.net.httpserver.HttpServer
import io.runledger.console.Console
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** A console on the HTTP server of the JDK, for a program that has no other. [close] ends it. */
public class ConsoleServer private constructor(
    private val server: HttpServer,
    private val threads: ExecutorService,
    base: String,
) : AutoCloseable {
    /** Where a browser finds the console. */
    @get:JvmName("address")
    public val address: URI = server.address.let { bound ->
        URI("http", null, shown(bound.address), bound.port, base.ifEmpty { "/" }, null, null)
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
        threads.awaitTermination(1, TimeUnit.SECONDS)
    }

    public companion object {
        /**
         * Starts a server for [console] under the path [base] on [port] of the loopback interface, which only programs on the
         * same machine reach. Port 0 takes a free one.
         */
        @JvmStatic
        @JvmOverloads
        public fun start(console: Console, port: Int = 0, base: String = ""): ConsoleServer =
            start(console, InetSocketAddress(InetAddress.getLoopbackAddress(), port), base)

        /** Starts a server for [console] under the path [base] on the interface and port of [bind]. */
        @JvmStatic
        public fun start(console: Console, bind: InetSocketAddress, base: String): ConsoleServer =
            start(bind, base, console::answer)

        /** Starts a server whose requests [answer] answers. */
        internal fun start(bind: InetSocketAddress, base: String, answer: (ConsoleRequest) -> ConsoleResponse): ConsoleServer {
            require(base.isEmpty() || (base.startsWith("/") && !base.endsWith("/"))) {
                "The path '$base' must be empty, or begin with a slash and end without one."
            }
            val server = HttpServer.create(bind, 0)
            val threads = newThreads()
            server.executor = threads
            server.createContext(base.ifEmpty { "/" }, JdkHandler(base, answer))
            server.start()
            return ConsoleServer(server, threads, base)
        }

        /** A stream of events keeps its thread, so threads are virtual where the JDK has them. */
        private fun newThreads(): ExecutorService = try {
            Executors::class.java.getMethod("newVirtualThreadPerTaskExecutor").invoke(null) as ExecutorService
        } catch (_: NoSuchMethodException) {
            Executors.newCachedThreadPool { task -> Thread(task, "runledger-console-http").apply { isDaemon = true } }
        }

        private fun shown(address: InetAddress): String = if (address.isAnyLocalAddress) "localhost" else address.hostAddress
    }
}
