package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.actionLinks
import io.runledger.console.visit.Visit
import io.runledger.model.job.DeadLetterCause
import io.runledger.model.job.Job
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div

/** Links to the actions that the user may take on [job] in its state. */
internal fun FlowContent.jobActions(visit: Visit, job: Job) = actionLinks(visit, job, Actions.ofJob)

/** A link to what can be done with all jobs of the list that this page shows. */
internal fun FlowContent.jobListActions(visit: Visit) {
    if (!visit.may(ConsoleRole.OPERATOR)) return
    div("actions") {
        val names = visit.query.names.filter { it !in SelectionQuery.OTHERS }
        val conditions = names.flatMap { name -> visit.query.all(name).map { name to it } }
        a(href = visit.link("/jobs/change", *conditions.toTypedArray()), classes = "button") { +"Change these jobs" }
        a(href = visit.link("/jobs/new"), classes = "button") { +"Enqueue a job" }
    }
}

/** A link to what can be done with all dead letters of [cause]. */
internal fun FlowContent.causeActions(visit: Visit, cause: DeadLetterCause) {
    if (!visit.may(ConsoleRole.OPERATOR)) return
    val query = SelectionQuery(listOf(cause.jobType()), code = cause.errorCode(), message = cause.message().orEmpty())
    a(href = visit.link(query.address(Actions.ofCause.path)), classes = "button") { +"Requeue them" }
}
