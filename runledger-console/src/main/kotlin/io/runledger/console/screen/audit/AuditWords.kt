package io.runledger.console.screen.audit

import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.console.page.ledgerText
import io.runledger.console.page.mono
import io.runledger.console.page.share
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.span
import java.util.UUID

internal fun auditPath(action: UUID): String = "/audit/$action"

/** `job.run_now` as `job: run now`. */
internal fun OperatorActionKind.inPlainWords(): String = wire().replaceFirst(".", ": ").replace('_', ' ')

/** What the action names, with a link to its page. The row may be gone. */
internal fun FlowContent.target(visit: Visit, target: OperatorTarget) {
    val name = target.name()
    val path = name?.let { pathOf(target, it) }
    when {
        name == null -> +target.kind().withoutName()

        path == null -> {
            +"${target.kind().inWords()} "
            mono(name)
        }

        else -> {
            +"${target.kind().inWords()} "
            a(href = visit.link(path)) { mono(name) }
            target.stepKey()?.let { key ->
                +" step "
                a(href = visit.link("$path/steps/${Visit.encoded(key)}")) { ledgerText(key) }
            }
        }
    }
}

private fun pathOf(target: OperatorTarget, name: String): String? = when (target.kind()) {
    OperatorTargetKind.JOB -> "/jobs/${Visit.encoded(name)}"
    OperatorTargetKind.RUN -> "/runs/${Visit.encoded(name)}"
    OperatorTargetKind.SCHEDULE -> "/schedules/${Visit.encoded(name)}"
    OperatorTargetKind.JOB_TYPE -> "/types/${Visit.encoded(name)}"
    OperatorTargetKind.ACTION -> "/audit/${Visit.encoded(name)}"
    OperatorTargetKind.WORKERS, OperatorTargetKind.WORKER_ORDER -> "/workers"
    OperatorTargetKind.JOBS, OperatorTargetKind.JOB_SELECTION, OperatorTargetKind.RUNS -> null
    OperatorTargetKind.LIMIT -> "/limits/${Visit.encoded(name)}"
    OperatorTargetKind.QUEUE -> "/queues/${Visit.encoded(name)}"
    OperatorTargetKind.SHARE -> null
}

private fun OperatorTargetKind.withoutName(): String = when (this) {
    OperatorTargetKind.JOB_SELECTION -> "jobs of a selection"
    OperatorTargetKind.WORKERS -> "all workers"
    else -> inWords()
}

/** How many rows were changed, and how far an action is that has not ended. */
internal fun FlowContent.progress(action: OperatorAction) {
    val total = action.total()
    when {
        action.isFinished || total == null -> +action.changed().of("row")
        else -> share(action.changed(), total, "${action.changed().grouped()} of ${total.grouped()}")
    }
    if (!action.isFinished) {
        +" "
        span("state state-running") { +"not finished" }
    }
    if (action.isUndone) {
        +" "
        span("state state-canceled") { +"undone" }
    }
}
