package io.runledger.exposed.workflow

import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.model.ledger.Disposition
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection

/** Performs [start] for [requests] and records it as one action of the operator, if there is one. */
internal fun started(
    actions: RecordActions,
    connection: Connection,
    requests: List<WorkflowRequest>,
    start: () -> List<EnqueuedWorkflow>,
): List<EnqueuedWorkflow> {
    if (!actions.isOn) return start()
    val isOne = requests.size == 1
    val target = if (isOne) OperatorTarget(OperatorTargetKind.RUN, null, null) else OperatorTarget.runs()
    val draft = ActionDraft(OperatorActionKind.WORKFLOW_START, target, null, null, requests.size.toLong())
    return actions.record(connection, draft) { act ->
        start().also { runs ->
            act.changed(runs.count { it.disposition() == Disposition.INSERTED })
            act.organizationId = requests.map { it.organizationId() }.distinct().singleOrNull()
            act.details["types"] = requests.map { it.type() }.distinct()
            val ids = runs.map { it.runId().toString() }
            if (isOne) act.target = ids.single() else act.details["run_ids"] = ids
        }
    }
}
