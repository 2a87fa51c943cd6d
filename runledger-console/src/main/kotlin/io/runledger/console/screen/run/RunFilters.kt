package io.runledger.console.screen.run

import io.runledger.console.page.ListFilters
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.value.Identifier
import io.runledger.model.workflow.WorkflowRunStatus

/** Which runs the list shows, as its address says. */
internal class RunFilters(visit: Visit) {
    private val filters = ListFilters(visit)
    private val status = filters.choice("status", WorkflowRunStatus.entries)
    private val paused = filters.flag("paused")
    private val since = filters.instant("since")
    private val before = filters.instant("before")
    private val cursor = visit.query["after"]
    val scope: Scope = filters.scope("organization")
    val type: String? = filters.text("type")
    val key: String? = filters.text("key")

    init {
        type?.let { given ->
            Identifier.WORKFLOW_TYPE.problem(given.removeSuffix(ANY)).ifPresent { filters.problem("type", it) }
        }
        if (key != null && (type == null || type.endsWith(ANY))) {
            filters.problem("key", "A key belongs to one workflow type: give the type too.")
        }
        if (key != null && scope.kind() == Scope.Kind.EVERYTHING) {
            filters.problem("key", "A key belongs to one organization: give the organization, or ${ListFilters.GLOBAL}.")
        }
    }

    val problems: Map<String, String> get() = filters.problems

    /** Not valid while there are [problems]. */
    fun query(): WorkflowQuery = WorkflowQuery.builder().limit(PAGE).after(cursor).apply {
        status?.let { statuses(it) }
        paused?.let { paused(it) }
        since?.let { createdSince(it) }
        before?.let { createdBefore(it) }
        type?.let { if (it.endsWith(ANY)) typePrefix(it.removeSuffix(ANY)) else workflowTypes(it) }
    }.build()

    private companion object {
        const val PAGE = 50

        /** At the end of a type, it stands for any text. */
        const val ANY = "*"
    }
}
