package io.runledger.console.screen.audit

import io.runledger.console.page.ListFilters
import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind

/** Which actions the list shows, as its address says. */
internal class AuditFilters(visit: Visit) {
    private val filters = ListFilters(visit)
    private val actor = filters.text("actor")
    private val kind = filters.choice("kind", OperatorActionKind.entries)
    private val targetKind = filters.choice("target", NAMED)
    private val targetName = filters.text("name")
    private val since = filters.instant("since")
    private val before = filters.instant("before")
    private val unfinished = filters.flag("unfinished")
    private val cursor = visit.query["after"]
    val scope: Scope = filters.scope("organization")

    init {
        if (targetKind != null && targetName == null && "target" !in filters.problems) {
            filters.problem("name", "Name the target: an id, or the name of a schedule or type.")
        }
        if (targetKind == null && targetName != null) filters.problem("target", "Say what the name belongs to.")
        if (targetKind in WITH_IDS && targetName != null) filters.id("name")
    }

    val problems: Map<String, String> get() = filters.problems

    /** Not valid while there are [problems]. */
    fun query(): AuditQuery = AuditQuery.builder().limit(PAGE).after(cursor).apply {
        actor?.let { actor(it) }
        kind?.let { kinds(it) }
        if (targetKind != null) target(OperatorTarget(targetKind, targetName, null))
        since?.let { startedSince(it) }
        before?.let { startedBefore(it) }
        if (unfinished == true) unfinished()
    }.build()

    companion object {
        private const val PAGE = 50
        private val WITH_IDS = setOf(
            OperatorTargetKind.JOB,
            OperatorTargetKind.RUN,
            OperatorTargetKind.WORKER_ORDER,
            OperatorTargetKind.ACTION,
        )

        /** Kinds of targets that have a name or an id. */
        val NAMED = listOf(
            OperatorTargetKind.JOB,
            OperatorTargetKind.RUN,
            OperatorTargetKind.SCHEDULE,
            OperatorTargetKind.JOB_TYPE,
            OperatorTargetKind.WORKERS,
            OperatorTargetKind.WORKER_ORDER,
            OperatorTargetKind.ACTION,
        )
    }
}
