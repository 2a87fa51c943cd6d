package io.runledger.exposed.intake

import io.runledger.exposed.operator.Act
import io.runledger.exposed.operator.ActionDraft
import io.runledger.exposed.operator.RecordActions
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import java.sql.Connection

/** Performs [enqueue] for [requests] and records it as one action of the operator. */
internal fun RecordActions.enqueued(
    connection: Connection,
    requests: List<JobRequest>,
    enqueue: (Act) -> List<EnqueuedJob>,
): List<EnqueuedJob> {
    val isOne = requests.size == 1
    val target = if (isOne) OperatorTarget(OperatorTargetKind.JOB, null, null) else OperatorTarget.jobs()
    val draft = ActionDraft(OperatorActionKind.JOB_ENQUEUE, target, null, null, requests.size.toLong())
    return record(connection, draft) { act ->
        enqueue(act).also { jobs ->
            act.changed(jobs.filter { it.disposition() != Disposition.EXISTING }.distinctBy { it.id() }.size)
            act.organizationId = requests.map { it.organizationId() }.distinct().singleOrNull()
            act.details["types"] = requests.map { it.jobType() }.distinct()
            val ids = jobs.map { it.id().toString() }
            if (isOne) act.target = ids.single() else act.details["job_ids"] = ids
        }
    }
}
