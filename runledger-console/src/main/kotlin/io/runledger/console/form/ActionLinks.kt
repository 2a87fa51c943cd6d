package io.runledger.console.form

import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div

/** Buttons for those of [actions] that [subject] allows now and the user may perform. Each leads to the page of its action. */
internal fun <T : Any> FlowContent.actionLinks(visit: Visit, subject: T, actions: List<Action<T>>) {
    val possible = actions.filter { visit.may(it.roleFor(subject)) && it.refusal(subject) == null }
    if (possible.isEmpty()) return
    div("actions") { possible.forEach { actionLink(visit, subject, it) } }
}

internal fun <T : Any> FlowContent.actionLink(visit: Visit, subject: T, action: Action<T>) =
    a(href = visit.link(action.address(subject)), classes = "button") { +action.label }
