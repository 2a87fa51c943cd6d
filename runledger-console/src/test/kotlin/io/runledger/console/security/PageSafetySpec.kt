package io.runledger.console.security

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.console.visit.Visit
import io.runledger.console.visit.PathPart
import io.runledger.model.ledger.Scope
import java.net.http.HttpResponse

/** What each answer of the console carries, and what no page contains, whatever the rows of the ledger contain. */
class PageSafetySpec :
    FunSpec({
        val bench = autoClose(ConsoleBench())
        val hostile = HostileLedger(bench.ledger)
        val places = Addresses(hostile).all
        val client = Stranger(bench.address)
        bench.viewer("admin", ConsoleRole.ADMINISTRATOR)
        bench.viewer("reader", ConsoleRole.VIEWER)

        fun HttpResponse<*>.header(name: String) = headers().firstValue(name).orElse("")

        fun HttpResponse<String>.isProtected() {
            val policy = header("Content-Security-Policy")
            policy shouldContain "default-src 'none'"
            policy shouldContain "frame-ancestors 'none'"
            policy shouldContain "script-src 'self';"
            policy shouldContain "style-src 'self';"
            policy shouldNotContain "unsafe"
            headers().allValues("Content-Security-Policy") shouldHaveSize 1
            header("X-Content-Type-Options") shouldBe "nosniff"
            header("X-Frame-Options") shouldBe "DENY"
            header("Referrer-Policy") shouldBe "same-origin"
        }

        fun HttpResponse<String>.isNotKept() = header("Cache-Control") shouldBe "no-store"

        places.forEach { place ->
            test("every answer of $place has the headers that protect it") {
                val answers = when (place.route.method) {
                    "POST" -> listOf(client.post(place.path, "admin"), client.post(place.path, "reader"), client.post(place.path, null))
                    else -> listOf("admin", "reader", null).map { client.send("GET", place.path, it) }
                }

                answers.forEach { answer ->
                    answer.isProtected()
                    answer.isNotKept()
                }
            }
        }

        places.filter { it.route.method == "GET" }.forEach { place ->
            test("$place escapes hostile rows, and has no inline script, no inline style and no address elsewhere") {
                val page = client.send("GET", place.path, "admin")
                if (!page.header("Content-Type").startsWith("text/html")) return@test

                page.body() shouldNotContain "<script>alert"
                page.body() shouldNotContain "<img src=x"
                val tags = HtmlTag.of(page.body())
                tags.size shouldBeGreaterThan 10
                // A tag that the expression does not understand would not be checked.
                tags.size shouldBe Regex("<[a-zA-Z]").findAll(page.body()).count()
                withClue(place) {
                    tags.filter { it.name == "style" }.shouldBeEmpty()
                    tags.filter { it.name == "script" && (it.attributes["src"] == null || it.textBehind.isNotBlank()) }.shouldBeEmpty()
                    tags.filter { tag -> tag.attributes.keys.any { it == "style" || it.startsWith("on") || it.startsWith("hx-on") } }
                        .shouldBeEmpty()
                    tags.filter { tag ->
                        ADDRESSES.mapNotNull { tag.attributes[it] }.any { it.startsWith("//") || ':' in it.substringBefore('/') }
                    }.shouldBeEmpty()
                }
            }
        }

        test("a name with slashes and other signs stays one part of a path, on every server") {
            val part = Visit.encoded(HOSTILE)

            part shouldContain Regex("^[A-Za-z0-9._~-]+$")
            listOf(".", "..", "a.b", "mail.send", "a b", "ä/漢", "~", "~41", "100%").forEach { name ->
                PathPart.nameOf(Visit.encoded(name)) shouldBe name
            }
            listOf("~", "~4", "~zz", "a~-1").forEach { PathPart.nameOf(it) shouldBe null }
        }

        test("an answer that is no page has the headers too") {
            listOf(
                client.send("GET", "/runledger/none", "admin") to 404,
                client.send("GET", "/runledger/none/of/these?x=$MARKER", "admin") to 404,
                client.send("PUT", "/runledger/jobs", "admin") to 405,
                client.send("DELETE", "/runledger/jobs", "admin") to 405,
                client.send("TRACE", "/runledger/jobs", "admin") to 405,
                client.send("GET", "/runledger/live?topic=none", "admin") to 400,
                client.send("GET", "/runledger/live?topic=job:${hostile.stranger}", "admin") to 404,
                client.send("POST", "/runledger/live?topic=ledger", "admin") to 405,
                client.send("GET", "/runledger/live?topic=ledger", null) to 401,
            ).forEach { (answer, status) ->
                answer.statusCode() shouldBe status
                answer.isProtected()
                answer.isNotKept()
            }
        }

        test("the live stream of a job or a run of another organization is not found") {
            bench.viewer("other", ConsoleRole.ADMINISTRATOR, Scope.organization(hostile.stranger))

            client.send("GET", "/runledger/live?topic=job:${hostile.deadJob}", "other").statusCode() shouldBe 404
            client.send("GET", "/runledger/live?topic=run:${hostile.run}", "other").statusCode() shouldBe 404
        }

        test("HEAD answers as GET does, without a body") {
            listOf("/runledger/jobs" to 200, "/runledger/none" to 404, "/runledger/asset/console.css" to 200).forEach { (path, status) ->
                val answer = client.send("HEAD", path, "admin")

                answer.statusCode() shouldBe status
                answer.body() shouldBe ""
                answer.isProtected()
            }
        }

        test("an asset is one of the files of the console, and may be kept by the browser") {
            val asset = client.send("GET", "/runledger/asset/console.js", null)
            asset.statusCode() shouldBe 200
            asset.isProtected()
            asset.header("Cache-Control") shouldContain "immutable"
            asset.header("Content-Type") shouldContain "text/javascript"

            listOf(
                "../Console.class", "..%2f..%2fConsole.class", "%2e%2e/%2e%2e/logback-test.xml", "", "/", "console.css/", "console.css%00",
                "....//console.css", "/etc/passwd", "%2fetc%2fpasswd", "../../../../META-INF/MANIFEST.MF", "CONSOLE.CSS", "htmx.min.js/..",
            ).forEach { name ->
                withClue(name) { client.raw("GET /runledger/asset/$name HTTP/1.1") shouldContain Regex("^HTTP/1.1 (404|400|401)") }
            }
            client.send("POST", "/runledger/asset/console.js", "admin").statusCode() shouldBe 405
        }

        test("a path that only begins like that of the console does not belong to it") {
            client.send("GET", "/runledgers", "admin").statusCode() shouldBe 404
            client.send("GET", "/runledger-old/jobs", "admin").statusCode() shouldBe 404
        }
    })

/** Attributes that hold addresses. */
private val ADDRESSES = listOf("href", "src", "action", "formaction", "hx-get", "hx-post", "data-live", "xlink:href")
