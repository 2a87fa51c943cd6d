package io.runledger.console.page

import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import kotlinx.html.FlowContent
import kotlinx.html.span
import java.util.UUID

/** The organization of a row. */
internal fun FlowContent.organization(id: UUID?) {
    if (id == null) {
        span("none") { +"global" }
    } else {
        span("mono id") {
            attributes["title"] = id.toString()
            +id.toString().takeLast(SHOWN)
        }
    }
}

/** The organizations of the rows, for users who see the rows of more than one. */
internal fun <T> Columns<T>.organization(visit: Visit, of: (T) -> UUID?) {
    if (visit.scope.kind() == Scope.Kind.EVERYTHING) column("Organization") { organization(of(it)) }
}

private const val SHOWN = 12
