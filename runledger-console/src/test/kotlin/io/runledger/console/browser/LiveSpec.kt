package io.runledger.console.browser

import com.microsoft.playwright.assertions.LocatorAssertions
import com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat
import io.kotest.core.spec.style.FunSpec
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.time.Duration

/** Pages that are open while the ledger changes, in two windows, with the back button, and without scripts. */
class LiveSpec :
    FunSpec({
        val mail = JobType.json("mail.send")
        val chromium by lazy { autoClose(Chromium()) }

        fun bench() = autoClose(ConsoleBench { refreshInterval(Duration.ofMillis(100)) }).also {
            it.viewer("dana", ConsoleRole.ADMINISTRATOR)
            it.client.definitions.sync(listOf(mail))
        }

        fun ConsoleBench.job() =
            client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).delay(Duration.ofHours(1)).build()).id()

        test("an open page of a job shows its cancellation by another session").config(enabledOrReasonIf = Chromium.isThere) {
            val bench = bench()
            val job = bench.job()
            chromium.window(bench, "dana").use { window ->
                val page = window.newPage()
                page.navigate("jobs/$job")
                assertThat(page.locator("main .state").first()).containsText("pending")

                bench.client.jobs.cancel(Scope.everything(), job, "no longer wanted")

                assertThat(page.locator("main .state").first()).containsText("canceled")
            }
        }

        test(
            "an action in one window shows in the other, and the back button returns to the job",
        ).config(enabledOrReasonIf = Chromium.isThere) {
            val bench = bench()
            val job = bench.job()
            chromium.window(bench, "dana").use { window ->
                val (one, two) = window.newPage() to window.newPage()
                one.navigate("jobs/$job")
                two.navigate("jobs/$job")

                one.locator("main a", com.microsoft.playwright.Page.LocatorOptions().setHasText("Cancel")).first().click()
                one.locator("[name=reason]").fill("duplicate order")
                one.locator("main form button.primary, main form button.danger").first().click()

                assertThat(one.locator(".flash")).containsText("Done")
                assertThat(two.locator("main .state").first()).containsText("canceled")
                one.goBack()
                one.goBack()
                assertThat(one.locator("main .state").first()).containsText("canceled")
            }
        }

        test("a form that is sent twice, from a page that is kept open, acts once").config(enabledOrReasonIf = Chromium.isThere) {
            val bench = bench()
            val job = bench.job()
            chromium.window(bench, "dana").use { window ->
                val (one, two) = window.newPage() to window.newPage()
                listOf(one, two).forEach { it.navigate("jobs/$job/cancel") }
                listOf(one, two).forEach { page ->
                    page.locator("[name=reason]").fill("duplicate order")
                    page.locator("main form button.primary, main form button.danger").first().dblclick()
                    page.waitForLoadState()
                }

                assertThat(two.locator("main")).containsText("canceled")
                bench.client.jobs.events(Scope.everything(), job).items().count {
                    it.type().name == "CANCELED"
                }.let { check(it == 1) }
            }
        }

        test("a page that has lost its server says so, and shows what it missed when the server is back").config(
            enabledOrReasonIf = Chromium.isThere,
        ) {
            val bench = bench()
            val job = bench.job()
            chromium.window(bench, "dana").use { window ->
                val page = window.newPage()
                page.navigate("jobs/$job")
                bench.stopServer()
                assertThat(page.locator("body.offline")).isVisible(PATIENTLY)

                bench.client.jobs.cancel(Scope.everything(), job, "no longer wanted")
                bench.startServer()

                val state = page.locator("main .state").first()
                assertThat(state).containsText("canceled", LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE))
                assertThat(page.locator("body.offline")).hasCount(0)
            }
        }

        test("pages can be read without scripts, and forms be sent").config(enabledOrReasonIf = Chromium.isThere) {
            val bench = bench()
            val job = bench.job()
            chromium.window(bench, "dana", hasScripts = false).use { window ->
                val page = window.newPage()
                page.navigate("jobs/$job")
                page.locator("main a", com.microsoft.playwright.Page.LocatorOptions().setHasText("Cancel")).first().click()
                page.locator("[name=reason]").fill("no scripts here")
                page.locator("main form button.primary, main form button.danger").first().click()

                assertThat(page.locator("main .state").first()).containsText("canceled")
            }
        }
    })

/** Browsers connect again after some seconds. */
private const val PATIENCE = 60_000.0
private val PATIENTLY = LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE)
