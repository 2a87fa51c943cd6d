package io.runledger.console.security

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.security.Stranger.Companion.FORM
import io.runledger.console.security.Stranger.Companion.TOKEN
import io.runledger.console.security.Stranger.Companion.form
import io.runledger.console.visit.Allowances
import java.util.concurrent.TimeUnit

/** A posted form is answered only if a page of this console has sent it. */
class GuardSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench())
        val hostile = HostileLedger(bench.ledger)
        val place = Addresses(hostile).all.first { it.route.method == "POST" }
        val client = Stranger(bench.address)
        val cookie = "Cookie" to "runledger-form=$TOKEN"
        val good = form(mapOf("form-token" to TOKEN))

        test("a form without its token, with another one, or of another site is refused") {
            val other = TOKEN.replace('A', 'B')
            val before = hostile.fingerprint()
            mapOf(
                "no token" to (FORM + cookie to ""),
                "no cookie" to (FORM to good),
                "another token" to (FORM + cookie to form(mapOf("form-token" to other))),
                "a cookie that was not made here" to (
                    FORM + ("Cookie" to "runledger-form=x") to form(
                        mapOf("form-token" to "x"),
                    )
                    ),
                "an empty token" to (FORM + ("Cookie" to "runledger-form=") to form(mapOf("form-token" to ""))),
                "another site" to (FORM + cookie + ("Sec-Fetch-Site" to "cross-site") to good),
                "a site of the same domain" to (FORM + cookie + ("Sec-Fetch-Site" to "same-site") to good),
                "another origin" to (FORM + cookie + ("Origin" to "https://evil.example") to good),
                "no form" to (mapOf("Content-Type" to "text/plain") + cookie to good),
                "a token in the address" to (FORM + cookie to "x=y"),
            ).entries.forEachIndexed { at, (what, request) ->
                val user = "$what $at"
                bench.viewer(user, ConsoleRole.ADMINISTRATOR)
                val path = if (what.endsWith("address")) "${place.path}?form-token=$TOKEN" else place.path

                withClue(what) { client.send("POST", path, user, request.first, request.second).statusCode() shouldBe 403 }
            }
            hostile.fingerprint() shouldBe before
        }

        test("a form of this console passes, also from a browser that does not say from where it comes") {
            listOf(emptyMap(), mapOf("Sec-Fetch-Site" to "same-origin"), mapOf("Origin" to "http://${bench.address.authority}"))
                .forEachIndexed { at, headers ->
                    bench.viewer("sender $at", ConsoleRole.ADMINISTRATOR)

                    val status = client.send("POST", place.path, "sender $at", FORM + cookie + headers, good).statusCode()

                    withClue(status) { (status in 200..499 && status != 403) shouldBe true }
                }
        }

        test("the cookie of the form is unreadable for scripts and is not sent by other sites") {
            bench.viewer("newcomer")

            val set = client.send("GET", "/runledger/jobs", "newcomer").headers().firstValue("Set-Cookie").get()

            set.split("; ").drop(1).let { attributes ->
                listOf("HttpOnly", "SameSite=Strict", "Path=/runledger").forEach { attributes shouldContain it }
            }
        }

        test("a script that sends many forms is slowed down, and other users are not") {
            bench.viewer("script", ConsoleRole.ADMINISTRATOR)
            bench.viewer("person", ConsoleRole.ADMINISTRATOR)

            val statuses = List(40) { client.post(place.path, "script").statusCode() }

            statuses.takeLast(5).toSet() shouldBe setOf(429)
            (client.post(place.path, "person").statusCode() == 429) shouldBe false
        }

        test("an allowance is earned again with time") {
            var now = 0L
            val allowances = Allowances(burst = 2.0, perMinute = 6.0) { now }

            List(3) { allowances.take("a") } shouldBe listOf(true, true, false)
            allowances.has("a") shouldBe false
            now += TimeUnit.SECONDS.toNanos(10)
            List(2) { allowances.take("a") } shouldBe listOf(true, false)
            allowances.take("b") shouldBe true
        }

        test("a form that is larger than the limit is refused") {
            bench.viewer("large", ConsoleRole.ADMINISTRATOR)

            val answer = client.send(
                "POST",
                place.path,
                "large",
                FORM + cookie,
                good + "&x=" + "y".repeat(ConsoleRequest.MAX_FORM_BYTES),
            )

            answer.statusCode() shouldBe 413
            answer.body() shouldContain "larger than"
        }
    })
