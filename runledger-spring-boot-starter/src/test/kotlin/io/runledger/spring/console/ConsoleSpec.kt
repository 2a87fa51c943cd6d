package io.runledger.spring.console

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.Console
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.spring.HIBERNATE
import io.runledger.spring.application
import io.runledger.spring.bean
import io.runledger.spring.client
import io.runledger.spring.freshDatabase
import io.runledger.test.blockUntil
import org.springframework.boot.WebApplicationType
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
import org.springframework.context.ConfigurableApplicationContext
import java.io.BufferedReader
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.Base64
import kotlin.reflect.KClass

private val parcel = JobType.of("parcel", String::class.java)

/** A browser of one user, without scripts. */
private class Browser(private val app: ConfigurableApplicationContext, private vararg val headers: Pair<String, String>) {
    private val http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private var cookie = ""

    fun get(path: String) = send(request(path))

    fun post(path: String, fields: Map<String, String>) = send(
        request(path).header("Content-Type", "application/x-www-form-urlencoded").POST(
            HttpRequest.BodyPublishers.ofString(
                fields.entries.joinToString("&") { (name, value) -> "$name=${URLEncoder.encode(value, Charsets.UTF_8)}" },
            ),
        ),
    )

    fun stream(path: String): BufferedReader {
        val answer = http.send(request(path).build(), BodyHandlers.ofInputStream())
        answer.statusCode() shouldBe 200
        return answer.body().bufferedReader()
    }

    fun send(request: HttpRequest.Builder): HttpResponse<String> =
        http.send(request.build(), BodyHandlers.ofString()).also { answer ->
            answer.headers().allValues("Set-Cookie").firstOrNull { it.startsWith("runledger-form=") }?.let {
                cookie =
                    it.substringBefore(';')
            }
        }

    fun request(path: String): HttpRequest.Builder {
        val port = app.environment.getRequiredProperty("local.server.port")
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path")).timeout(Duration.ofMinutes(1))
        headers.forEach { (name, value) -> request.header(name, value) }
        if (cookie.isNotEmpty()) request.header("Cookie", cookie)
        return request
    }

    companion object {
        fun signedIn(app: ConfigurableApplicationContext, name: String) =
            Browser(app, "Authorization" to "Basic " + Base64.getEncoder().encodeToString("$name:$name".toByteArray()))
    }
}

class ConsoleSpec :
    FunSpec({
        fun web(vararg properties: String, beans: List<KClass<*>> = emptyList()) =
            application(freshDatabase(), "server.port=0", *properties, beans = beans, web = WebApplicationType.SERVLET)

        fun secured(vararg properties: String, beans: List<KClass<*>> = emptyList()) =
            web("spring.autoconfigure.exclude=$HIBERNATE", *properties, beans = beans + SecuredShop::class)

        fun hidden(page: String): Map<String, String> = Regex("""<input[^>]*type="hidden"[^>]*>""").findAll(page).associate {
            fun attribute(name: String) = Regex("$name=\"([^\"]*)\"").find(it.value)?.groupValues?.get(1).orEmpty()
            attribute("name") to attribute("value").replace("&quot;", "\"").replace("&amp;", "&")
        }

        fun ConfigurableApplicationContext.newJob() = client.run {
            definitions.declare(parcel)
            jobs.enqueue(parcel, "A-1").id()
        }

        test("without a sign-in it is closed, and says what to configure") {
            web().use { app ->
                val answer = Browser(app).get("/runledger")

                answer.statusCode() shouldBe 401
                answer.body() shouldContain "ConsoleAccess"
                answer.headers().firstValue("Content-Security-Policy").get() shouldContain "default-src 'none'"
            }
        }

        test("the roles of Spring Security decide what a user may do") {
            secured().use { app ->
                val job = app.newJob()
                fun signedIn(name: String) = Browser.signedIn(app, name)

                Browser(app).get("/runledger").statusCode() shouldBe 401
                signedIn("cleo").get("/runledger").run {
                    statusCode() shouldBe 403
                    body() shouldContain "runledger.console.roles"
                }
                signedIn("vera").get("/runledger/jobs").run {
                    statusCode() shouldBe 200
                    body() shouldContain "vera"
                }
                signedIn("vera").get("/runledger/jobs/$job/cancel").statusCode() shouldBe 403
                signedIn("otto").get("/runledger/jobs/$job/cancel").statusCode() shouldBe 200
                signedIn("ada").get("/runledger").body() shouldContain "administrator"
            }
        }

        test("a form passes the protection of Spring Security, and the console's own protects it") {
            secured().use { app ->
                val job = app.newJob()
                val otto = Browser.signedIn(app, "otto")
                val path = "/runledger/jobs/$job/cancel"
                val form = hidden(otto.get(path).body())

                otto.post(path, form - "form-token" + ("reason" to "no token")).statusCode() shouldBe 403
                val answer = otto.post(path, form + ("reason" to "not needed: grüße"))

                answer.statusCode() shouldBe 303
                app.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.CANCELED
                otto.get("/runledger/jobs/$job").body() shouldContain "not needed: grüße"
            }
        }

        test("a form is read also if a filter has read the body before") {
            web(beans = listOf(OwnAccess::class, ReadingFilter::class)).use { app ->
                val job = app.newJob()
                val browser = Browser(app, "User" to "otto")
                val path = "/runledger/jobs/$job/cancel"
                val form = hidden(browser.get(path).body())

                browser.post("$path?reason=in+the+address", form + ("reason" to "filtered: grüße")).statusCode() shouldBe 303

                app.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.CANCELED
                browser.get("/runledger/jobs/$job").body() shouldContain "filtered: grüße"
            }
        }

        test("in development it can be opened to programs on the same machine, and to no others") {
            web("runledger.console.access=local").use { app ->
                val port = app.environment.getRequiredProperty("local.server.port")
                Browser(app).get("/runledger").run {
                    statusCode() shouldBe 200
                    body() shouldContain "administrator"
                }
                Browser(app, "X-Forwarded-For" to "203.0.113.7").get("/runledger").statusCode() shouldBe 403
                Browser(app, "Forwarded" to "for=203.0.113.7").get("/runledger").statusCode() shouldBe 403
                rawGet(port.toInt(), "/runledger", "evil.example") shouldContain " 403 "
                rawGet(port.toInt(), "/runledger", "localhost") shouldContain " 200 "
                Browser(app).get("/runledger/asset/console.css").statusCode() shouldBe 200
            }
        }

        test("it is mounted where the application wants it, or not at all") {
            web(
                "runledger.console.path=/ops/ledger",
                "server.servlet.context-path=/shop",
                beans = listOf(OwnAccess::class),
            ).use { app ->
                val browser = Browser(app, "User" to "otto")
                browser.get("/shop/ops/ledger/jobs").body() shouldContain "href=\"/shop/ops/ledger/jobs\""
                browser.get("/shop/ops/ledger/none").statusCode() shouldBe 404
                browser.get("/shop/runledger").statusCode() shouldBe 404
            }
            web("runledger.console.enabled=false", beans = listOf(OwnAccess::class)).use { app ->
                Browser(app, "User" to "otto").get("/runledger").statusCode() shouldBe 404
                app.getBeanProvider(Console::class.java).ifAvailable.shouldBeNull()
            }
            application(freshDatabase()).use { app -> app.getBeanProvider(Console::class.java).ifAvailable.shouldBeNull() }
        }

        test("a path that is none is refused with the name of its property") {
            listOf("ops", "/ops/", "/ops/*", "/").forEach { path ->
                val failure = shouldThrow<Exception> { web("runledger.console.path=$path") }

                withClue(path) {
                    generateSequence<Throwable>(failure) {
                        it.cause
                    }.filterIsInstance<InvalidConfigurationPropertyValueException>()
                        .first().name shouldBe "runledger.console.path"
                }
            }
        }

        test("a second ledger has a console of its own, also if beans are created late") {
            web("spring.main.lazy-initialization=true", beans = listOf(OwnAccess::class, AuditConsole::class)).use { app ->
                Browser(app, "User" to "otto").get("/runledger").body() shouldContain "otto"
                Browser(app).get("/audit").run {
                    statusCode() shouldBe 200
                    body() shouldContain "auditor"
                    body() shouldNotContain "href=\"/runledger"
                }
            }
        }

        test("open pages hear of changes, hold no thread, and do not delay the shutdown") {
            val app = web(
                "server.tomcat.threads.max=4",
                "server.shutdown=graceful",
                "spring.lifecycle.timeout-per-shutdown-phase=60s",
                beans = listOf(OwnAccess::class),
            )
            val browser = Browser(app, "User" to "otto")
            val job = app.newJob()

            val streams = List(50) { browser.stream("/runledger/live?topic=job:$job") }
            browser.get("/runledger/jobs").statusCode() shouldBe 200
            streams.forEach { stream -> generateSequence { stream.readLine() }.first { it == "event: change" } }
            app.client.jobs.cancel(Scope.global(), job)
            streams.forEach { stream -> generateSequence { stream.readLine() }.first { it == "event: change" } }

            val begin = System.nanoTime()
            app.close()
            Duration.ofNanos(System.nanoTime() - begin).toSeconds() shouldBeLessThan 40
            streams.forEach { stream -> generateSequence { stream.readLine() }.last() shouldNotContain "change" }
        }

        test("a browser that has left is forgotten") {
            web(beans = listOf(OwnAccess::class)).use { app ->
                val console = app.bean<Console>()
                val stream = Browser(app, "User" to "otto").stream("/runledger/live?topic=ledger")
                blockUntil("the stream is open") { console.openStreams == 1 }
                stream.close()
                blockUntil("it is forgotten") { console.openStreams == 0 }
            }
        }
    })
