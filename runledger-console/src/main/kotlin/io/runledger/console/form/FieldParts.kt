package io.runledger.console.form

import io.runledger.console.content.shownText
import io.runledger.console.http.Parameters
import kotlinx.html.CommonAttributeGroupFacade
import kotlinx.html.FlowContent
import kotlinx.html.InputType
import kotlinx.html.dataList
import kotlinx.html.div
import kotlinx.html.id
import kotlinx.html.input
import kotlinx.html.label
import kotlinx.html.option
import kotlinx.html.p
import kotlinx.html.select
import kotlinx.html.textArea

/**
 * Shows fields with what the operator has [entered], and the sentences about entries that cannot be used. [entered] is null on a
 * page that has not been posted yet.
 */
internal class FieldParts(private val entered: Parameters?, private val problems: Map<String, String>) {
    fun show(content: FlowContent, field: Field) = content.div("field") {
        if (field is CheckField) {
            check(field)
        } else {
            label {
                attributes["for"] = idOf(field.name)
                +field.label
                if (!field.isRequired) +" (optional)"
            }
            control(field)
        }
        field.hint?.let { hint ->
            p("note") {
                id = hintOf(field.name)
                +hint
            }
        }
        problems[field.name]?.let { sentence ->
            p("problem") {
                id = problemOf(field.name)
                +shownText(sentence)
            }
        }
    }

    private fun FlowContent.check(field: CheckField) = label("check") {
        input(type = InputType.checkBox, name = field.name) {
            describe(field)
            value = CheckField.YES
            checked = valueOf(field) == CheckField.YES
        }
        +field.label
    }

    private fun FlowContent.control(field: Field) {
        when (field) {
            is TextField -> line(field)

            is NumberField -> input(type = InputType.number, name = field.name) {
                describe(field)
                value = valueOf(field)
                field.min?.let { min = it.toString() }
                field.max?.let { max = it.toString() }
                step = if (field.isWhole) "1" else "any"
            }

            is ChoiceField -> select {
                name = field.name
                describe(field)
                field.choices.forEach { (choice, label) ->
                    option {
                        value = choice
                        selected = choice == valueOf(field)
                        +label
                    }
                }
            }

            is DateField -> input(type = InputType.date, name = field.name) {
                describe(field)
                value = valueOf(field)
            }

            is MomentField -> moment(field)

            is JsonField -> textArea {
                name = field.name
                rows = "16"
                describe(field)
                attributes["spellcheck"] = "false"
                // A browser drops a line break at the beginning.
                +"\n"
                +valueOf(field)
            }

            is CheckField -> check(field)
        }
    }

    private fun FlowContent.line(field: TextField) {
        input(type = InputType.text, name = field.name) {
            describe(field)
            value = valueOf(field)
            if (field.suggestions.isNotEmpty()) {
                attributes["list"] = "list-${field.name}"
                attributes["autocomplete"] = "off"
            }
        }
        if (field.suggestions.isNotEmpty()) {
            dataList {
                id = "list-${field.name}"
                field.suggestions.forEach { option { value = it } }
            }
        }
    }

    private fun FlowContent.moment(field: MomentField) = div("pair") {
        input(type = InputType.dateTimeLocal, name = field.name) {
            describe(field)
            value = valueOf(field)
            step = "1"
        }
        input(type = InputType.text, name = field.zoneName) {
            attributes["aria-label"] = "${field.label}: time zone"
            attributes["list"] = "list-${field.zoneName}"
            attributes["autocomplete"] = "off"
            value = entered?.get(field.zoneName) ?: "UTC"
        }
        dataList("zones") {
            id = "list-${field.zoneName}"
            option { value = "UTC" }
        }
    }

    private fun CommonAttributeGroupFacade.describe(field: Field) {
        id = idOf(field.name)
        if (field.isRequired && field !is ChoiceField) attributes["required"] = "required"
        val described = listOfNotNull(
            hintOf(field.name).takeIf { field.hint != null },
            problemOf(field.name).takeIf { field.name in problems },
        )
        if (described.isNotEmpty()) attributes["aria-describedby"] = described.joinToString(" ")
        if (field.name in problems) attributes["aria-invalid"] = "true"
    }

    /** The first value even if it is blank: an operator who has emptied a field sees it empty. */
    private fun valueOf(field: Field): String = (if (entered == null) field.initial else entered[field.name]).orEmpty()

    private fun idOf(name: String) = "field-$name"

    private fun hintOf(name: String) = "hint-$name"

    private fun problemOf(name: String) = "problem-$name"
}
