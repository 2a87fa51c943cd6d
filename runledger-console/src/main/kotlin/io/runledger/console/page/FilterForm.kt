package io.runledger.console.page

import io.runledger.console.content.inWords
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import kotlinx.html.ButtonType
import kotlinx.html.FORM
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.InputType
import kotlinx.html.LABEL
import kotlinx.html.a
import kotlinx.html.button
import kotlinx.html.form
import kotlinx.html.id
import kotlinx.html.input
import kotlinx.html.label
import kotlinx.html.option
import kotlinx.html.select
import kotlinx.html.span

/** A form whose fields become the parameters of the page at [path]. */
internal fun FlowContent.filterForm(visit: Visit, path: String, problems: Map<String, String>, fields: FilterFields.() -> Unit) =
    form(action = visit.link(path), method = FormMethod.get, classes = "filters") {
        attributes["role"] = "search"
        FilterFields(this, visit, problems).fields()
        button(type = ButtonType.submit) { +"Apply" }
        if (visit.query.names.isNotEmpty()) a(href = visit.link(path), classes = "button") { +"Clear" }
    }

/** The fields of a [filterForm]. Each has the value that the address of the page gives it. */
internal class FilterFields(private val form: FORM, private val visit: Visit, private val problems: Map<String, String>) {
    fun text(name: String, label: String, hint: String = "") = field(name, label) {
        input(type = InputType.text, name = name) {
            value = visit.query[name].orEmpty()
            if (hint.isNotEmpty()) placeholder = hint
            marked(name)
        }
    }

    /** A time in UTC. */
    fun time(name: String, label: String) = field(name, "$label (UTC)") {
        input(type = InputType.text, name = name) {
            value = visit.query[name].orEmpty()
            placeholder = "2026-11-19T09:30"
            marked(name)
        }
    }

    fun <E : Enum<E>> choice(name: String, label: String, choices: List<E>) =
        options(name, label, choices.map { it.name to it.inWords() })

    /** Values with what is shown for them. */
    fun options(name: String, label: String, choices: List<Pair<String, String>>) = field(name, label) {
        select {
            this.name = name
            attributes["aria-label"] = label
            marked(name)
            option {
                value = ""
                +"any"
            }
            choices.forEach { (choice, shown) ->
                option {
                    value = choice
                    selected = visit.query[name] == choice
                    +shown
                }
            }
        }
    }

    /** The organization, for users who see all of them. */
    fun organization(name: String) {
        if (visit.scope.kind() == Scope.Kind.EVERYTHING) text(name, "Organization", "id, or ${ListFilters.GLOBAL}")
    }

    private fun field(name: String, label: String, input: LABEL.() -> Unit) = form.label {
        +label
        input()
        problems[name]?.let { problem ->
            span("field-problem") {
                id = "problem-$name"
                ledgerText(problem)
            }
        }
    }

    private fun kotlinx.html.Tag.marked(name: String) {
        if (name !in problems) return
        attributes["aria-invalid"] = "true"
        attributes["aria-describedby"] = "problem-$name"
    }
}
