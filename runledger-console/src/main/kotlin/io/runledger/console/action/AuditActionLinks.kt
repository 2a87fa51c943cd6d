package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.actionLinks
import io.runledger.console.payload.JsonTrees
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.p
import java.time.Duration

/** What the user can do about an earlier action: undo it, or continue it if it has not ended. */
internal fun FlowContent.auditActions(visit: Visit, action: OperatorAction) {
    actionLinks(visit, action, Actions.ofAction)
    val (address, label) = rest(action) ?: return
    if (action.isFinished || action.isUndone || !visit.may(ConsoleRole.OPERATOR)) return
    if (action.key()?.let(visit.ledgers.longActions::isRunning) == true) return
    p("note") { +"If it does not proceed, its process has ended. Then it can be continued as a new action." }
    div("actions") { a(href = visit.link(address), classes = "button") { +label } }
}

/** The page that continues [action], and the label of its link. Null if it cannot be continued. */
private fun rest(action: OperatorAction): Pair<String, String>? {
    Actions.backfill.rest(action)?.let { return it to "Continue with the other instants" }
    val again = continued[action.kind()] ?: return null
    return selectionOf(action)?.let { it.address(again.path) to "Continue with the other jobs" }
}

/** The actions on many jobs that can be continued, by their kind. */
private val continued: Map<OperatorActionKind, SelectionAction> = Actions.ofSelection.flatMap { action ->
    when (action) {
        is CancelJobs -> listOf(OperatorActionKind.JOB_CANCEL)
        is RunJobsNow -> listOf(OperatorActionKind.JOB_RUN_NOW)
        is RescheduleJobs -> listOf(OperatorActionKind.JOB_RESCHEDULE)
        is ReprioritizeJobs -> listOf(OperatorActionKind.JOB_REPRIORITIZE)
        is RequeueDeadLetters -> listOf(OperatorActionKind.JOB_REQUEUE, OperatorActionKind.JOB_RESTART)
        else -> emptyList()
    }.map { it to action }
}.toMap()

/**
 * The selection that the ledger has recorded with [action]. Null if it has none, or one with conditions that are not known here.
 */
private fun selectionOf(action: OperatorAction): SelectionQuery? {
    val details = JsonTrees.read(action.details())
    val stored = details.get("selection")?.takeIf { form -> form.propertyNames().all { it in CONDITIONS } } ?: return null
    fun texts(name: String) = stored.get(name)?.values()?.map { it.stringValue() }.orEmpty()
    return SelectionQuery(
        texts("job_types"),
        texts("statuses").map { wire -> JobStatus.entries.first { it.wire() == wire } },
        stored.get("error_code")?.stringValue(),
        stored.get("error_message")?.stringValue(),
        stored.get("older_than")?.stringValue()?.let(Duration::parse),
        when (details.get("scope")?.stringValue()) {
            "everything" -> null
            "global" -> SelectionQuery.GLOBAL
            "organization" -> action.organizationId()?.toString() ?: return null
            else -> return null
        },
    )
}

private val CONDITIONS = setOf("job_types", "statuses", "error_code", "error_message", "older_than")
