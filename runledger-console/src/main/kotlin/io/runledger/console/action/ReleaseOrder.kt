package io.runledger.console.action

import io.runledger.console.form.Order
import io.runledger.console.form.actionLinks
import io.runledger.console.visit.Visit
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import kotlinx.html.FlowContent

/** Lets the jobs behind a dead letter go on. A dead letter without an order refuses it. */
internal class ReleaseOrder : JobAction("release-order", "Release its order", setOf(JobStatus.DEAD_LETTERED)) {
    override fun consequence(subject: Job): String =
        "The jobs behind this dead letter in its order start without it. It stays a dead letter. If it is requeued later, it " +
            "runs before those that have not started."

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.releaseOrder(it.scope, it.subject.id(), it.reason)
    }
}

/** A link to release the order of [job], if it is a dead letter in one. */
internal fun FlowContent.releaseOrderAction(visit: Visit, job: Job) {
    if (job.flow().orderKey() != null) actionLinks(visit, job, Actions.ofDeadLetterInOrder)
}
