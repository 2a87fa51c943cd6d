package io.runledger.ktor

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import io.runledger.console.Console
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.dsl.jobType
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import io.runledger.test.until
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.io.BufferedReader
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

private val fetch = jobType<String>("fetch")

/** A browser of Ada, without scripts. */
private class Browser(private val service: Service) {
    private val http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private var cookie = ""

    suspend fun send(method: String, path: String, body: String = "", user: String? = "ada"): HttpResponse<String> =
        withContext(Dispatchers.IO) {
            val request = request(path).method(method, HttpRequest.BodyPublishers.ofString(body))
            user?.let { request.header("User", it) }
            if (cookie.isNotEmpty()) request.header("Cookie", cookie)
            if (body.isNotEmpty()) request.header("Content-Type", "application/x-www-form-urlencoded")
            http.send(request.build(), HttpResponse.BodyHandlers.ofString()).also { answer ->
                answer.headers().firstValue("Set-Cookie").ifPresent { cookie = it.substringBefore(';') }
            }
        }

    suspend fun stream(path: String): BufferedReader = withContext(Dispatchers.IO) {
        val answer = http.send(request(path).header("User", "ada").build(), HttpResponse.BodyHandlers.ofInputStream())
        answer.statusCode() shouldBe 200
        answer.headers().firstValue("Content-Type").get() shouldContain "text/event-stream"
        answer.body().bufferedReader()
    }

    private suspend fun request(path: String) =
        HttpRequest.newBuilder(URI("http://127.0.0.1:${service.server.engine.resolvedConnectors().single().port}$path"))
            .timeout(Duration.ofMinutes(1))
}

class ConsoleSpec :
    FunSpec({
        fun userOf(call: ApplicationCall) =
            call.request.headers["User"]?.let { ConsoleUser(it, ConsoleRole.OPERATOR, Scope.everything()) }

        fun Application.operated(ledger: TestLedger, path: String = "/runledger", settings: Console.Builder.() -> Unit = {}) {
            install(Runledger) { dataSource = ledger.dataSource }
            ledger.client.definitions.declare(fetch)
            routing { runledgerConsole(path, settings = settings, user = ::userOf) }
        }

        fun fields(page: String): Map<String, String> = Regex("""<input[^>]*type="hidden"[^>]*>""").findAll(page).associate {
            fun attribute(name: String) = Regex("$name=\"([^\"]*)\"").find(it.value)?.groupValues?.get(1).orEmpty()
            attribute("name") to attribute("value").replace("&quot;", "\"").replace("&amp;", "&")
        }

        fun form(fields: Map<String, String>) =
            fields.entries.joinToString("&") { (name, value) -> "$name=${URLEncoder.encode(value, Charsets.UTF_8)}" }

        test("pages, assets and refusals are answered below the path, with their headers") {
            val ledger = freshLedger()
            val service = Service { operated(ledger) }

            service.use {
                val browser = Browser(service)
                val home = browser.send("GET", "/runledger")
                home.statusCode() shouldBe 200
                home.body() shouldContain "href=\"/runledger/jobs\""
                home.headers().firstValue("Content-Security-Policy").get() shouldNotContain "unsafe"
                home.headers().firstValue("Content-Type").get() shouldContain "text/html"
                browser.send("GET", "/runledger/").statusCode() shouldBe 200
                browser.send("GET", "/runledger/jobs?status=PENDING").statusCode() shouldBe 200
                browser.send("GET", "/runledger/asset/console.css", user = null).statusCode() shouldBe 200
                browser.send("GET", "/runledger/none").statusCode() shouldBe 404
                browser.send("PUT", "/runledger/jobs").statusCode() shouldBe 405
                browser.send("GET", "/runledger/jobs", user = null).statusCode() shouldBe 401
                browser.send("GET", "/other").statusCode() shouldBe 404
                val head = browser.send("HEAD", "/runledger/jobs")
                head.statusCode() shouldBe 200
                head.body() shouldBe ""
            }
        }

        test("a form changes the ledger in the name of the user") {
            val ledger = freshLedger()
            val service = Service { operated(ledger) }

            service.use {
                val job = ledger.client.jobs.enqueue(fetch, "page").id()
                val browser = Browser(service)
                val page = browser.send("GET", "/runledger/jobs/$job/cancel")
                page.statusCode() shouldBe 200

                val answer = browser.send(
                    "POST",
                    "/runledger/jobs/$job/cancel",
                    form(fields(page.body()) + ("reason" to "not needed")),
                )

                answer.statusCode() shouldBe 303
                answer.headers().firstValue("Location").get() shouldContain "/runledger/jobs/$job"
                ledger.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.CANCELED
                browser.send("POST", "/runledger/jobs/$job/cancel", "reason=again").statusCode() shouldBe 403
            }
        }

        test("it can be mounted below another route, with parameters in its path") {
            val ledger = freshLedger()
            val service = Service {
                install(Runledger) { dataSource = ledger.dataSource }
                routing { route("/shops/{shop}") { runledgerConsole("/ops/") { userOf(it) } } }
            }

            service.use {
                val browser = Browser(service)

                browser.send("GET", "/shops/north%20side/ops/jobs").body() shouldContain "href=\"/shops/north%20side/ops/jobs\""
                browser.send("GET", "/shops/north%20side/ops").statusCode() shouldBe 200
            }
        }

        test("open pages hear of changes, hold no thread, and end with the application") {
            val ledger = freshLedger()
            val service = Service { operated(ledger) { refreshInterval(Duration.ofMillis(50)) } }.start()
            val browser = Browser(service)
            val job = ledger.client.jobs.enqueue(fetch, "page").id()

            // More streams than Dispatchers.IO has threads.
            val streams = List(100) { browser.stream("/runledger/live?topic=job:$job") }
            browser.send("GET", "/runledger/jobs").statusCode() shouldBe 200
            withContext(Dispatchers.IO) {
                streams.forEach { stream -> generateSequence { stream.readLine() }.first { it == "event: change" } }
                ledger.client.jobs.cancel(Scope.global(), job)
                streams.forEach { stream -> generateSequence { stream.readLine() }.first { it == "event: change" } }
            }

            // The streams end when the server begins to stop; afterwards it waits for its idle connections, but for no stream.
            coroutineScope {
                val stopping = launch { service.stop(Duration.ofSeconds(5)) }
                withContext(Dispatchers.IO) { streams.forEach { stream -> generateSequence { stream.readLine() }.last() } }
                stopping.join()
            }
        }

        test("a server that stops with a grace waits for no connection that a stream has used") {
            val ledger = freshLedger()
            val service = Service(idle = Duration.ofDays(1)) {
                operated(ledger) { refreshInterval(Duration.ofMillis(50)) }
            }.start()
            val browser = Browser(service)
            val streams = List(3) { browser.stream("/runledger/live?topic=ledger") }

            // Not a child of the test: a stop that waits for its grace would hold up the failure.
            val stopping = CompletableFuture.runAsync { runBlocking { service.stop(Duration.ofDays(1)) } }

            withContext(Dispatchers.IO) {
                streams.forEach { stream -> generateSequence { stream.readLine() }.toList() }
                stopping.get(PATIENCE, TimeUnit.SECONDS)
            }
        }

        test("a browser that has left is forgotten") {
            val ledger = freshLedger()
            lateinit var console: Console
            val service = Service {
                install(Runledger) { dataSource = ledger.dataSource }
                console =
                    Console.builder(ledger.client).access(consoleAccess(::userOf)).refreshInterval(Duration.ofMillis(20)).build()
                routing { runledgerConsole(console) }
            }

            service.use {
                val stream = Browser(service).stream("/runledger/live?topic=ledger")
                until("the stream is open") { console.openStreams == 1 }
                withContext(Dispatchers.IO) { stream.close() }
                until("it is forgotten") { console.openStreams == 0 }
            }
            console.close()
        }
    })

private const val PATIENCE = 60L
