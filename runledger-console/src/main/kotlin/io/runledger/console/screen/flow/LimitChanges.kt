package io.runledger.console.screen.flow

import io.runledger.console.content.inWords
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.pager
import io.runledger.console.visit.Visit
import io.runledger.model.flow.LimitChange
import io.runledger.model.ledger.Page
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.section

/** The values that a limit or a queue has had, newest first. [history] reads a page of them: how many, and before which. */
internal fun FlowContent.limitChanges(visit: Visit, what: String, history: (Int, String?) -> Page<LimitChange>) = section {
    h2 { +"History" }
    val before = visit.query[BEFORE]
    val changes = visit.snapshot("history $what $before") { history(PAGE, before) }
    listing("Changes of the values, newest first", changes.items(), "Nothing was changed.") {
        column("Since") { moment(it.changedAt()) }
        column("Values") { +it.values().inWords() }
        column("By") { ledgerText(it.changedBy() ?: "code") }
        column("Reason") { ledgerText(it.reason() ?: "–") }
    }
    pager(visit, changes, BEFORE, label = "Pages of the history")
}

private const val BEFORE = "before"
private const val PAGE = 20
