package io.runledger.console.page

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.shownText
import io.runledger.console.visit.Visit
import kotlinx.html.BODY
import kotlinx.html.ButtonType
import kotlinx.html.HEAD
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.button
import kotlinx.html.div
import kotlinx.html.h1
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.role
import kotlinx.html.script
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.title
import kotlinx.html.ul

/** The frame of all pages: head, navigation, and the page's own content. */
internal class Frame(private val ledgerName: String, private val assets: Assets, private val signOut: String? = null) {
    /** [seen] is what was known of the page's topic before its rows were read. */
    fun render(page: Page, visit: Visit, seen: String? = null): String = buildString {
        append("<!DOCTYPE html>\n")
        appendHTML(prettyPrint = false).html {
            lang = "en"
            head { head(page, visit) }
            body {
                page.topic?.let { attributes["data-live"] = visit.link("/live", "topic" to it.name, "seen" to seen) }
                top(visit)
                navigation(page.section, visit)
                main {
                    id = "main"
                    attributes["tabindex"] = "-1"
                    visit.query["done"]?.let { done(it, visit) }
                    h1 { ledgerText(page.title) }
                    page.content(this)
                }
            }
        }
    }

    private fun HEAD.head(page: Page, visit: Visit) {
        meta(charset = "utf-8")
        meta("viewport", "width=device-width, initial-scale=1")
        meta("color-scheme", "light dark")
        // htmx would otherwise evaluate expressions and add a style element, which the content security policy forbids.
        meta("htmx-config", """{"allowEval":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"historyCacheSize":0}""")
        title { +"${shownText(page.title)} · $ledgerName · Runledger" }
        link(rel = "icon", href = assets.address(visit, "icon.svg"), type = "image/svg+xml")
        link(rel = "stylesheet", href = assets.address(visit, "console.css"))
        link(rel = "stylesheet", href = assets.address(visit, "picture.css"))
        script(src = assets.address(visit, "htmx.min.js")) { attributes["defer"] = "defer" }
        script(src = assets.address(visit, "console.js")) { attributes["defer"] = "defer" }
    }

    private fun BODY.top(visit: Visit) = header {
        a(href = "#main", classes = "skip") { +"Skip to the content" }
        a(href = visit.link("/"), classes = "brand") {
            span("mark") { attributes["aria-hidden"] = "true" }
            +"Runledger"
        }
        span("ledger") { +ledgerName }
        span("space") {}
        span("user") {
            +visit.user.name
            +" "
            span("role") { +visit.user.role.name.lowercase() }
        }
        signOut?.let { address -> a(href = address) { +"Sign out" } }
        button(type = ButtonType.button, classes = "theme") {
            id = "theme"
            attributes["aria-label"] = "Switch between light and dark"
            attributes["hidden"] = "hidden"
            +"◐"
        }
    }

    private fun BODY.navigation(current: Section, visit: Visit) = nav {
        attributes["aria-label"] = "Pages"
        Section.entries.groupBy { it.group }.forEach { (group, sections) ->
            if (group.isNotEmpty()) p("group") { +group }
            ul {
                sections.forEach { section ->
                    li {
                        a(href = visit.link(section.path)) {
                            if (section == current) attributes["aria-current"] = "page"
                            +section.label
                        }
                    }
                }
            }
        }
    }

    private fun kotlinx.html.FlowContent.done(action: String, visit: Visit) = div("flash") {
        role = "status"
        +"Done. "
        a(href = visit.link("/audit/${Visit.encoded(action)}")) { +"See what was changed" }
        if (visit.query["undo"] != null) {
            +" · "
            a(href = visit.link("/audit/${Visit.encoded(action)}/undo")) { +"Undo" }
        }
    }
}
