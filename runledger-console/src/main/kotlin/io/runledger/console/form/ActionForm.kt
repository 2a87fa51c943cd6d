package io.runledger.console.form

import io.runledger.console.visit.Guard
import io.runledger.console.visit.Visit
import kotlinx.html.FORM
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.form
import kotlinx.html.hiddenInput

/**
 * A form that changes something. It is posted to [path], below the console, with the token without which the console refuses it.
 */
internal fun FlowContent.actionForm(visit: Visit, path: String, content: FORM.() -> Unit) =
    form(action = visit.link(path), method = FormMethod.post, classes = "action") {
        hidden(Guard.FIELD, visit.formToken)
        content()
    }

internal fun FORM.hidden(name: String, value: String) = hiddenInput(name = name) { this.value = value }
