package io.runledger.console.screen.fleet

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.visit.Visit
import io.runledger.console.visit.seesFleet
import kotlinx.html.p

/** The page about what all organizations share, or for users who see only a part of the ledger, why it is not shown. */
internal fun fleetOnly(visit: Visit, section: Section, page: (Visit) -> Page): Page = if (visit.seesFleet) {
    page(visit)
} else {
    Page(section.label, section) {
        p("problem") {
            +"This page shows the whole ledger, with the work of all organizations. You see "
            +"only a part of the ledger, so it is not shown to you."
        }
    }
}
