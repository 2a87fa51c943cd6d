package io.runledger.console.screen.job

import io.runledger.console.page.json
import io.runledger.console.page.ledgerText
import io.runledger.console.page.mono
import io.runledger.console.visit.Visit
import io.runledger.model.json.Json
import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.section
import kotlinx.html.span

/** The last failure: its code, the exceptions with their causes, and the details that the handler gave. */
internal fun FlowContent.lastError(visit: Visit, view: JobView) {
    val code = view.job.lastErrorCode() ?: return
    section("error") {
        h2 { +"Last error" }
        p {
            a(href = visit.link("/jobs", "type" to view.job.jobType(), "code" to code)) { mono(code) }
            view.failed?.let {
                +" in attempt ${it.attempt()}${if (view.job.runNumber() > 1) " of run ${it.runNumber()}" else ""}"
            }
        }
        view.job.lastErrorMessage()?.let { message -> ol("chain") { chainOf(message).forEach { li { chainLink(it) } } } }
        view.failed?.errorDetails()?.let { details(visit, view, it) }
    }
}

private fun LI.chainLink(link: ChainLink) {
    link.exception?.let { name ->
        val shortName = name.substringAfterLast('.')
        span("package mono") { ledgerText(name.removeSuffix(shortName)) }
        ledgerText(shortName, "exception mono")
    }
    link.message?.let { div("message") { ledgerText(it) } }
}

/** Texts of several lines, such as stack traces, are shown line by line; the rest as JSON. */
private fun FlowContent.details(visit: Visit, view: JobView, details: Json) {
    val stacks = visit.ledgers.json.members(details).filterValues { '\n' in it }
    stacks.forEach { (name, stack) ->
        h3 { ledgerText(name) }
        pre("stack") {
            attributes["tabindex"] = "0"
            ledgerText(stack.take(LONGEST_STACK))
        }
    }
    if (stacks.isEmpty() || visit.ledgers.json.members(details).size > stacks.size || visit.ledgers.json.hasNested(details)) {
        h3 { +"Details" }
        json(visit, details, wholeLink(visit, view.job.id(), JobDocument.ERROR))
    }
}

private const val LONGEST_STACK = 32 * 1024
