package io.runledger.console.screen.jobs

import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.button
import kotlinx.html.form
import kotlinx.html.label
import kotlinx.html.searchInput
import kotlinx.html.span

/** Takes the id of a job or run, or a key, and goes there. */
internal fun FlowContent.searchBox(visit: Visit) = form(action = visit.link("/find"), method = FormMethod.get, classes = "find") {
    attributes["role"] = "search"
    label {
        span("unseen") { +"Job id, run id or idempotency key" }
        searchInput(name = "q") {
            placeholder = "Job id, run id or key"
            attributes["autocomplete"] = "off"
            attributes["spellcheck"] = "false"
            value = visit.query["q"].orEmpty()
        }
    }
    button { +"Find" }
}
