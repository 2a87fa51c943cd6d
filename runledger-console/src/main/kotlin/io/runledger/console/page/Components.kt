package io.runledger.console.page

import io.runledger.console.content.from
import io.runledger.console.content.grouped
import io.runledger.console.content.inUtc
import io.runledger.console.content.inWords
import io.runledger.console.content.shownText
import io.runledger.console.visit.Visit
import io.runledger.model.json.Json
import io.runledger.model.ledger.Page
import kotlinx.html.DIV
import kotlinx.html.FlowContent
import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.TABLE
import kotlinx.html.THEAD
import kotlinx.html.TR
import kotlinx.html.a
import kotlinx.html.bdi
import kotlinx.html.caption
import kotlinx.html.dd
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.id
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.time
import kotlinx.html.tr
import kotlinx.html.unsafe
import java.time.Instant
import java.util.UUID

/**
 * A part of the page that is loaded again, alone, when the page's topic changes. [name] is unique on the page. Everything in it
 * must follow from the address of the page.
 */
internal fun FlowContent.live(name: String, visit: Visit, content: DIV.() -> Unit) = div("live") {
    id = name
    attributes["hx-get"] = visit.linkHere()
    attributes["hx-trigger"] = "ledger:change from:body"
    attributes["hx-select"] = "#$name"
    attributes["hx-swap"] = "outerHTML"
    attributes["hx-disinherit"] = "*"
    content()
}

/**
 * Text that comes from rows of the ledger. It is shown as it is, without an effect on the text around it. Tags have a function
 * `text` of their own, which does not isolate the text: do not use it for such text.
 */
internal fun FlowOrPhrasingContent.ledgerText(text: String?, classes: String? = null) =
    bdi(classes) { +shownText(text.orEmpty()) }

/** Code, ids, names of types and keys. */
internal fun FlowOrPhrasingContent.mono(text: String?) = ledgerText(text, "mono")

/** An instant: relative to now, with the exact time beside it on demand. The script shows it in the zone of the viewer too. */
internal fun FlowOrPhrasingContent.moment(at: Instant?, now: Instant = Instant.now()) {
    if (at == null) {
        span("none") { +"–" }
    } else {
        time {
            dateTime = at.toString()
            attributes["title"] = at.inUtc()
            +at.from(now)
        }
    }
}

/** An instant in full, in UTC; the script adds the zone of the viewer. */
internal fun FlowOrPhrasingContent.exactly(at: Instant) = time("exact") {
    dateTime = at.toString()
    +at.inUtc()
}

/** A state as a coloured word with a sign, so that colour is not the only difference. */
internal fun FlowOrPhrasingContent.state(state: Enum<*>) =
    span("state state-${state.name.lowercase().replace('_', '-')}") { +state.inWords() }

/** A short form of [id] that links to [path]. */
internal fun FlowContent.idLink(visit: Visit, path: String, id: UUID) = a(href = visit.link("$path/$id"), classes = "mono id") {
    attributes["title"] = id.toString()
    +id.toString().takeLast(ID_LENGTH)
}

/** A table with a caption for screen readers. It scrolls by itself on a narrow screen. */
internal fun FlowContent.ledgerTable(caption: String, headers: TR.() -> Unit, rows: TABLE.() -> Unit) = div("scroll") {
    attributes["tabindex"] = "0"
    attributes["role"] = "region"
    attributes["aria-label"] = caption
    table {
        caption("unseen") { +caption }
        thead { tr { headers() } }
        rows()
    }
}

/** A table of [items] with [columns], or [empty] if there are none. */
internal fun <T> FlowContent.listing(caption: String, items: List<T>, empty: String, columns: Columns<T>.() -> Unit) {
    if (items.isEmpty()) {
        p("empty") { +empty }
        return
    }
    val all = Columns<T>().apply(columns).all
    ledgerTable(caption, {
        all.forEach { column ->
            th(classes = column.classes) {
                attributes["scope"] = "col"
                +column.header
            }
        }
    }) {
        tbody {
            items.forEach { item ->
                tr { all.forEach { column -> td(column.classes) { column.cell(this, item) } } }
            }
        }
    }
}

/** The columns of a [listing]. */
internal class Columns<T> {
    class Column<T>(val header: String, val classes: String?, val cell: kotlinx.html.TD.(T) -> Unit)

    val all = ArrayList<Column<T>>()

    fun column(header: String, classes: String? = null, cell: kotlinx.html.TD.(T) -> Unit) {
        all += Column(header, classes, cell)
    }

    /** A column of numbers, at the right. */
    fun number(header: String, cell: kotlinx.html.TD.(T) -> Unit) = column(header, "number", cell)
}

/** The link to the next page of a list, if there is one. */
internal fun FlowContent.pager(
    visit: Visit,
    page: Page<*>,
    parameter: String = "after",
    next: String = "Next page",
    label: String = "Pages of the list",
) {
    if (visit.query[parameter] == null && !page.hasNext()) return
    nav("pager") {
        attributes["aria-label"] = label
        if (visit.query[parameter] != null) a(href = visit.linkHere(parameter to null)) { +"First page" }
        page.next()?.let { a(href = visit.linkHere(parameter to it)) { +next } }
    }
}

/** Names with their values. */
internal fun FlowContent.facts(content: Facts.() -> Unit) = dl("facts") { Facts(this).content() }

internal class Facts(private val list: kotlinx.html.DL) {
    fun fact(name: String, value: FlowContent.() -> Unit) = list.div {
        // A group of a name and its value, as HTML allows inside a dl.
        (this as FlowContent).run {
            group(name, value)
        }
    }

    fun fact(name: String, value: String?) {
        if (value != null) fact(name) { ledgerText(value) }
    }

    private fun FlowContent.group(name: String, value: FlowContent.() -> Unit) {
        kotlinx.html.DT(emptyMap(), consumer).run {
            consumer.onTagStart(this)
            +name
            consumer.onTagEnd(this)
        }
        kotlinx.html.DD(emptyMap(), consumer).run {
            consumer.onTagStart(this)
            value()
            consumer.onTagEnd(this)
        }
    }
}

/** JSON of the ledger, redacted and indented, with a link to the whole document if it is cut. */
internal fun FlowContent.json(visit: Visit, json: Json?, whole: String? = null) {
    if (json == null) {
        p("empty") { +"None." }
        return
    }
    val shown = visit.ledgers.json.shown(json)
    pre("json") {
        attributes["tabindex"] = "0"
        ledgerText(shown.text)
    }
    if (json.depth() > Json.MAX_DEPTH) {
        p("note") {
            +"It is nested ${json.depth().toLong().grouped()} levels deep. "
            +"The library stores at most ${Json.MAX_DEPTH}, so another program has written it, and no handler is given it."
        }
    }
    if (shown.hasRedacted) p("note") { +"Values with names such as “password” are hidden." }
    if (shown.isCut) {
        p("note") {
            +"Only the beginning is shown. "
            if (whole != null) a(href = whole) { +"Open the whole document" }
        }
    }
}

/** A picture that was made as SVG by the library itself; everything in it is escaped already. */
internal fun FlowContent.picture(svg: String) = div("picture") {
    attributes["tabindex"] = "0"
    unsafe { +svg }
}

private const val ID_LENGTH = 12
