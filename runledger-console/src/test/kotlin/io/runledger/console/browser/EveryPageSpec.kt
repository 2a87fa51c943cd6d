package io.runledger.console.browser

import com.microsoft.playwright.Page
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.console.security.Addresses
import io.runledger.console.security.HostileLedger

/**
 * Every page, the forms of all actions among them, over rows with hostile texts, on a narrow screen: no script of a row runs, the browser
 * refuses nothing, and no page is wider than the window.
 */
class EveryPageSpec :
    FunSpec({
        test(
            "no page runs a script of a row, is refused by the browser or is too wide",
        ).config(enabledOrReasonIf = Chromium.isThere) {
            val bench = autoClose(ConsoleBench())
            bench.viewer("dana", ConsoleRole.ADMINISTRATOR)
            val pages = Addresses(HostileLedger(bench.ledger)).all.filter { it.route.method == "GET" && !it.isPerhapsMissing }
            val problems = ArrayList<String>()

            autoClose(Chromium()).window(bench, "dana", width = 320).use { window ->
                val page = window.newPage()
                var at = ""
                page.onConsoleMessage {
                    // The browser asks a server for an icon of its own if a document names none.
                    if ("favicon.ico" !in it.location()) problems += "$at says ${it.type()}: ${it.text()} (${it.location()})"
                }
                page.onPageError { problems += "$at fails: $it" }
                page.onDialog {
                    problems += "$at opens a dialog"
                    it.dismiss()
                }
                pages.filterNot { it.route.pattern.isDocument() }.forEach { place ->
                    at = place.toString()
                    page.navigate(bench.address.resolve(place.path).toString())
                    page.tooWide().let { if (it.isNotEmpty()) problems += "$at is too wide: $it" }
                }
            }

            pages.size shouldBeGreaterThan 50
            problems.shouldBeEmpty()
        }
    })

/** A raw document is not a page. */
private fun String.isDocument(): Boolean = "/json/" in this || endsWith("/payload") || endsWith("/output") || endsWith("/picture")

/** The parts of a page that make it wider than the window; none if it is not. */
@Suppress("UNCHECKED_CAST")
internal fun Page.tooWide(): List<String> = evaluate(TOO_WIDE) as List<String>

private const val TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("main *")]
        .filter(e => e.getBoundingClientRect().right > width + 1 && !e.closest(".scroll, .picture, pre"))
        .map(e => e.tagName + "." + e.getAttribute("class") + ": " + e.textContent.slice(0, 40)).slice(0, 8);
}"""
