package io.runledger.console.browser

import com.deque.html.axecore.playwright.AxeBuilder
import com.microsoft.playwright.Browser
import com.microsoft.playwright.BrowserContext
import com.microsoft.playwright.BrowserType.LaunchOptions
import com.microsoft.playwright.Page
import com.microsoft.playwright.Playwright
import com.microsoft.playwright.options.ColorScheme
import io.kotest.core.test.Enabled
import io.runledger.console.ConsoleBench
import java.nio.file.Path
import kotlin.io.path.isExecutable

/** Chromium of the machine, without a screen. Tests that need it are skipped where it is not installed. */
class Chromium : AutoCloseable {
    private val playwright = Playwright.create(
        Playwright.CreateOptions().setEnv(mapOf("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD" to "1")),
    )
    private val browser: Browser = playwright.chromium().launch(
        LaunchOptions().setExecutablePath(checkNotNull(program)).setArgs(
            listOf(
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ),
        ),
    )

    /** A window of its own, signed in as [user] of [bench]. */
    fun window(
        bench: ConsoleBench,
        user: String,
        width: Int = 1280,
        height: Int = 900,
        isDark: Boolean = false,
        hasScripts: Boolean = true,
    ): BrowserContext = browser.newContext(
        Browser.NewContextOptions()
            .setViewportSize(width, height)
            .setColorScheme(if (isDark) ColorScheme.DARK else ColorScheme.LIGHT)
            .setJavaScriptEnabled(hasScripts)
            .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE)
            .setExtraHTTPHeaders(mapOf("User" to user))
            .setBaseURL(bench.home),
    )

    override fun close() {
        browser.close()
        playwright.close()
    }

    companion object {
        val program: Path? = listOf("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map { Path.of(it) }.firstOrNull { it.isExecutable() }

        /** Whether a test can run here, for `config(enabledOrReasonIf = Chromium.isThere)`. */
        val isThere: (io.kotest.core.test.TestCase) -> Enabled = {
            if (program != null) Enabled.enabled else Enabled.disabled("Chromium is not installed: see .ci/install-servers.")
        }
    }
}

/** What axe finds wrong with the accessibility of the page, in short. */
fun Page.accessibilityProblems(): List<String> = AxeBuilder(this)
    .withTags(listOf("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"))
    .analyze().violations.map { rule -> "${rule.id}: ${rule.nodes.joinToString(limit = 5) { it.target.toString() }}" }
