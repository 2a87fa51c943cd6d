package io.runledger.ktor

import io.ktor.server.application.Application
import io.ktor.server.application.ServerConfig
import io.ktor.server.application.serverConfig
import io.ktor.server.cio.CIO
import io.ktor.server.config.ApplicationConfig
import io.ktor.server.config.MapApplicationConfig
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.applicationEnvironment
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

/** A real server with one application, on a free port. */
internal class Service(
    config: ApplicationConfig = MapApplicationConfig(),
    /** How long a connection may wait for its next request. */
    idle: Duration = Duration.ofSeconds(45),
    module: suspend Application.() -> Unit,
) {
    val server: EmbeddedServer<*, *> = embeddedServer(CIO, rootConfig(config, module)) {
        connector {
            host = "127.0.0.1"
            port = 0
        }
        connectionIdleTimeoutSeconds = idle.toSeconds().toInt()
        shutdownGracePeriod = 0
        shutdownTimeout = 60_000
    }

    val application: Application get() = server.application

    lateinit var visitor: Visitor
        private set

    suspend fun start(): Service = apply {
        server.startSuspend()
        visitor = Visitor(server.engine.resolvedConnectors().single().port)
    }

    /** Stops the server. Calls in progress have the [grace] to end. */
    suspend fun stop(grace: Duration = Duration.ZERO) = server.stopSuspend(grace.toMillis(), 60_000)

    suspend fun use(test: suspend (Visitor) -> Unit) {
        try {
            start()
            test(visitor)
        } finally {
            stop()
        }
    }

    private fun rootConfig(config: ApplicationConfig, module: suspend Application.() -> Unit): ServerConfig =
        serverConfig(applicationEnvironment { this.config = config }) { module(module) }
}

/** Calls the service over one connection, which the client keeps open. */
internal class Visitor(private val port: Int) {
    private val http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    suspend fun get(path: String): HttpResponse<String> = send(request(path).GET())

    suspend fun post(path: String): HttpResponse<String> = send(request(path).POST(HttpRequest.BodyPublishers.noBody()))

    private fun request(path: String) = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path")).timeout(Duration.ofMinutes(1))

    private suspend fun send(request: HttpRequest.Builder): HttpResponse<String> =
        withContext(Dispatchers.IO) { http.send(request.build(), HttpResponse.BodyHandlers.ofString()) }
}
