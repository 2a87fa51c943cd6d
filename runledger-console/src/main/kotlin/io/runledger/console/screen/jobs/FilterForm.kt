package io.runledger.console.screen.jobs

import io.runledger.console.content.inWords
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import kotlinx.html.FORM
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.INPUT
import kotlinx.html.button
import kotlinx.html.checkBoxInput
import kotlinx.html.dataList
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.fieldSet
import kotlinx.html.form
import kotlinx.html.id
import kotlinx.html.label
import kotlinx.html.legend
import kotlinx.html.option
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.textInput

/** The form of the filters. It is open if a value is wrong, which it says at the field: else the chips show what is set. */
internal fun FlowContent.filterForm(visit: Visit, filters: JobFilters, types: List<String>) = details("filters") {
    if (filters.problems.isNotEmpty()) attributes["open"] = "open"
    summary { +"Filters" }
    form(action = visit.link("/jobs"), method = FormMethod.get, classes = "filters") {
        statuses(filters)
        field(filters, JobFilter.TYPE, "mail.send") { attributes["list"] = "known-types" }
        field(filters, JobFilter.SINCE, "2 h, or 2026-11-19 09:30") { attributes["list"] = "known-times" }
        field(filters, JobFilter.BEFORE, "2026-11-19 09:30") { attributes["list"] = "known-times" }
        field(filters, JobFilter.CODE, "job.handler_failed")
        field(filters, JobFilter.KEY)
        field(filters, JobFilter.PAYLOAD, """{"customer": 42}""")
        if (visit.scope.kind() == Scope.Kind.EVERYTHING) field(filters, JobFilter.ORGANIZATION, "id, or ${JobFilters.GLOBAL}")
        dataList {
            id = "known-types"
            types.forEach { option { value = it } }
        }
        dataList {
            id = "known-times"
            TIMES.forEach { option { value = it } }
        }
        div("submit") { button(classes = "primary") { +"Show" } }
    }
}

private fun FORM.statuses(filters: JobFilters) = fieldSet {
    legend { +JobFilter.STATUS.label }
    JobStatus.entries.forEach { status ->
        label("check") {
            checkBoxInput(name = JobFilter.STATUS.parameter) {
                value = status.name
                checked = status in filters.statuses
            }
            +status.inWords()
        }
    }
    problem(filters, JobFilter.STATUS)
}

private fun FORM.field(filters: JobFilters, filter: JobFilter, example: String = "", more: INPUT.() -> Unit = {}) = div("field") {
    label {
        +filter.label
        textInput(name = filter.parameter) {
            value = filters.valueOf(filter)
            placeholder = example
            attributes["autocomplete"] = "off"
            attributes["spellcheck"] = "false"
            if (filter in filters.problems) {
                attributes["aria-invalid"] = "true"
                attributes["aria-describedby"] = problemId(filter)
            }
            more()
        }
    }
    problem(filters, filter)
}

private fun FlowContent.problem(filters: JobFilters, filter: JobFilter) {
    filters.problems[filter]?.let { sentence ->
        span("wrong") {
            id = problemId(filter)
            +sentence
        }
    }
}

private fun problemId(filter: JobFilter) = "wrong-${filter.parameter}"

private val TIMES = listOf("15 min", "1 h", "24 h", "7 d")
