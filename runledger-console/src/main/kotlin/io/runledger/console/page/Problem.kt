package io.runledger.console.page

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import kotlinx.html.p

/** A page that says why there is nothing else to see. */
internal fun problemPage(title: String, sentence: String): Page = Page(title, Section.OVERVIEW) {
    p("problem") { ledgerText(sentence) }
}
