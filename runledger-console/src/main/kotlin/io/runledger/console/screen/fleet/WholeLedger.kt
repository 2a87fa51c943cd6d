package io.runledger.console.screen.fleet

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import kotlinx.html.p

/** Whether the user sees what all organizations share: workers and the database. */
internal val Visit.seesWholeLedger: Boolean get() = scope.kind() == Scope.Kind.EVERYTHING

/** Stands in for a page about the whole ledger, for users who see a part of it. */
internal fun wholeLedgerOnly(section: Section): Page = Page(section.label, section) {
    p("problem") {
        +"This page shows the whole ledger, with the work of all organizations. You see "
        +"only a part of the ledger, so it is not shown to you."
    }
}
