package io.runledger.console.action

import io.runledger.console.content.Section
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.Order
import io.runledger.console.form.Review
import io.runledger.console.payload.JsonTrees
import io.runledger.console.payload.PayloadForm
import io.runledger.console.payload.jsonDiff
import io.runledger.console.visit.Visit
import io.runledger.model.job.Job
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p

/** Replaces the payload of a job: the form first, then the difference, then it is saved. */
internal class EditJob :
    JobAction("edit", "Edit the payload", setOf(JobStatus.PENDING, JobStatus.CANCELED, JobStatus.DEAD_LETTERED)) {
    override val hasReview: Boolean get() = true

    override fun refusal(subject: Job): String? = super.refusal(subject) ?: tooDeep(subject.payload())

    override fun consequence(subject: Job): String {
        val isWaiting = subject.status() == JobStatus.PENDING
        val next = if (isWaiting) "Its next attempt gets the new one." else "Requeue the job afterwards."
        return "Replaces the payload of 1 job. $next The previous payload stays in the history of the job."
    }

    override fun seen(subject: Job): String = "${super.seen(subject)}, changed ${subject.updatedAt()}"

    override fun fields(visit: Visit, subject: Job): List<Field> =
        PayloadForm(visit, subject.jobType(), subject.payload()).fields()

    override fun preview(content: FlowContent, visit: Visit, subject: Job) {
        super.preview(content, visit, subject)
        content.asDocument(visit, PayloadForm(visit, subject.jobType(), subject.payload()))
    }

    override fun review(order: Order<Job>): Review =
        reviewOf(order.visit, order.subject.payload(), entered(order), consequence(order.subject))

    override fun act(order: Order<Job>): String? = change(order) {
        it.ledger.jobs.editPayload(it.scope, it.subject.id(), Payload.of(entered(it)), it.reason)
    }

    private fun entered(order: Order<Job>): Json =
        PayloadForm(order.visit, order.subject.jobType(), order.subject.payload()).read(order)
}

/** Replaces the payload of a step that has not started, or waits for its next attempt. */
internal class EditStep : StepAction("edit-step", "Edit the payload", Section.RUNS) {
    override val hasReview: Boolean get() = true

    override fun refusal(subject: WorkflowStep): String? = when {
        subject.isTerminal -> "The step has ended: its payload cannot change."
        subject.status() == WorkflowStepStatus.RUNNING -> "The step is running: its payload cannot change."
        else -> tooDeep(subject.payload())
    }

    override fun consequence(subject: WorkflowStep): String =
        "Replaces the payload of 1 step. The previous payload stays in the history of the run."

    override fun seen(subject: WorkflowStep): String = "${super.seen(subject)}, changed ${subject.updatedAt()}"

    override fun fields(visit: Visit, subject: WorkflowStep): List<Field> = form(visit, subject).fields()

    override fun preview(content: FlowContent, visit: Visit, subject: WorkflowStep) {
        super.preview(content, visit, subject)
        content.asDocument(visit, form(visit, subject))
    }

    override fun review(order: Order<WorkflowStep>): Review =
        reviewOf(order.visit, order.subject.payload(), form(order.visit, order.subject).read(order), consequence(order.subject))

    override fun act(order: Order<WorkflowStep>): String? {
        val payload = Payload.of(form(order.visit, order.subject).read(order))
        order.ledger.workflows.editPayload(order.scope, order.subject.runId(), order.subject.stepKey(), payload, order.reason)
        return null
    }

    private fun form(visit: Visit, subject: WorkflowStep) =
        PayloadForm(visit, subject.job()?.jobType().orEmpty(), subject.payload())
}

/** Offers the payload as one document where the form has a field for each member. */
internal fun FlowContent.asDocument(visit: Visit, form: PayloadForm) {
    if (!form.isDocument) p { a(href = visit.linkHere("as" to "json")) { +"Enter the payload as JSON instead" } }
}

/** A form would have to read it as a tree, and the library stores nothing of its kind. */
private fun tooDeep(payload: Json): String? =
    "The payload is nested deeper than ${Json.MAX_DEPTH} levels, so it cannot be edited here. Correct its row in the database."
        .takeIf { payload.depth() > Json.MAX_DEPTH }

private fun reviewOf(visit: Visit, old: Json, new: Json, sentence: String): Review {
    if (JsonTrees.areEqual(old, new)) {
        throw FieldProblem(PayloadForm.DOCUMENT, "The payload is the same as before. Nothing would change.")
    }
    return Review(sentence) { jsonDiff(visit, old, new) }
}
