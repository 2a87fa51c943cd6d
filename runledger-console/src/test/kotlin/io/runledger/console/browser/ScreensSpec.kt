package io.runledger.console.browser

import com.microsoft.playwright.Page
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import java.nio.file.Path
import kotlin.io.path.createDirectories

/**
 * Every screen in Chromium, light, dark and on a phone: no rule of accessibility is broken, the console of the browser says nothing, and
 * the page itself does not scroll sideways. With `-Drunledger.write-screenshots=true`, the pictures of the documentation are made anew.
 */
class ScreensSpec :
    FunSpec({
        val bench by lazy { autoClose(ConsoleBench()).also { it.viewer("dana", ConsoleRole.ADMINISTRATOR) } }
        val shop by lazy { Shop(bench) }
        val chromium by lazy { autoClose(Chromium()) }

        beforeSpec { if (Chromium.program != null) shop }

        val screens = mapOf<String, () -> String>(
            "overview" to { "" },
            "jobs" to { "jobs" },
            "jobs-filtered" to { "jobs?status=DEAD_LETTERED" },
            "job" to { "jobs/${shop.retried}" },
            "job-running" to { "jobs/${shop.running}" },
            "dead-letters" to { "dead-letters" },
            "runs" to { "runs" },
            "run" to { "runs/${shop.order}" },
            "run-timeline" to { "runs/${shop.order}?view=timeline" },
            "run-story" to { "runs/${shop.order}?view=story" },
            "run-large" to { "runs/${shop.inventory}" },
            "step" to { "runs/${shop.order}/steps/approval" },
            "gates" to { "gates" },
            "schedules" to { "schedules" },
            "schedule" to { "schedules/invoices.monthly" },
            "schedule-preview" to { "schedules/preview?cron=30+9+*+*+1-5&zone=Europe%2FBerlin" },
            "workers" to { "workers" },
            "types" to { "types" },
            "type" to { "types/mail.send" },
            "limits" to { "limits" },
            "limit" to { "limits/crm-api" },
            "limit-change" to { "limits/crm-api/change" },
            "queues" to { "queues" },
            "queue" to { "queues/crm" },
            "job-limited" to { "jobs/${shop.pushed}" },
            "database" to { "database" },
            "audit" to { "audit" },
            "cancel" to { "jobs/${shop.delayed.first()}/cancel" },
        )

        fun Page.visit(path: String): List<String> {
            val said = ArrayList<String>()
            onConsoleMessage { said += "${it.type()}: ${it.text()}" }
            onPageError { said += it }
            navigate(path)
            return said
        }

        screens.forEach { (name, path) ->
            test(
                "the screen $name is accessible, silent and as wide as the window",
            ).config(enabledOrReasonIf = Chromium.isThere) {
                listOf(
                    Triple(1280, false, "light"),
                    Triple(1280, true, "dark"),
                    Triple(320, false, "phone"),
                ).forEach { (width, isDark, look) ->
                    chromium.window(bench, "dana", width = width, isDark = isDark).use { window ->
                        val page = window.newPage()
                        val said = page.visit(path())

                        page.accessibilityProblems().shouldBeEmpty()
                        said.shouldBeEmpty()
                        page.tooWide().shouldBeEmpty()
                        folder?.let {
                            page.screenshot(
                                Page.ScreenshotOptions().setPath(it.resolve("$name-$look.png")).setFullPage(width == 320),
                            )
                        }
                    }
                }
            }
        }
    }) {
    private companion object {
        val folder: Path? = System.getProperty("runledger.screenshots")?.let { Path.of(it).createDirectories() }
    }
}
