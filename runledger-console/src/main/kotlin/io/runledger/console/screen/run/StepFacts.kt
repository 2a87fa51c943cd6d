package io.runledger.console.screen.run

import io.runledger.console.content.inWords
import io.runledger.console.page.Facts
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.headerList
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.screen.audit.Operators
import io.runledger.console.screen.audit.byOperator
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.run.StepGate
import io.runledger.model.run.StepJob
import io.runledger.model.run.WorkflowStep
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Instant

/** Where a step stands, and what it runs or waits for. */
internal fun FlowContent.stepFacts(visit: Visit, step: WorkflowStep) {
    section {
        failure(step)
        facts {
            fact("State") { state(step.status()) }
            fact("Reason", step.statusReason()?.takeUnless { it == step.status().name })
            step.condition()?.let { condition -> fact("Runs only if") { mono(condition.toString()) } }
            step.job()?.let { job(visit, it) }
            step.gate()?.let { gate(it) }
            step.releasedAt()?.let { at -> fact(if (step.gate() == null) "Released" else "Opened") { exactly(at) } }
            step.startedAt()?.let { at -> fact("Started") { exactly(at) } }
            step.finishedAt()?.let { at ->
                fact("Finished") {
                    exactly(at)
                    if (step.gate() != null) byOperator(visit, gateAction(visit, step, at))
                }
            }
            fact("Took", step.took(Instant.now())?.inWords())
        }
    }
    val headers = step.job()?.headers().orEmpty()
    if (headers.isEmpty()) return
    section {
        h2 { +"Headers that the step adds" }
        headerList(visit, headers)
    }
}

private fun gateAction(visit: Visit, step: WorkflowStep, end: Instant): OperatorAction? =
    Operators.ofStep(visit, step.runId(), step.stepKey())
        .actionAt(end, null, OperatorActionKind.GATE_COMPLETE, OperatorActionKind.GATE_FAIL)

private fun FlowContent.failure(step: WorkflowStep) {
    if (step.lastErrorCode() == null && step.lastErrorMessage() == null) return
    p("problem") {
        step.lastErrorCode()?.let { mono(it) }
        step.lastErrorMessage()?.let {
            +" "
            ledgerText(it)
        }
    }
}

private fun Facts.job(visit: Visit, job: StepJob) {
    fact("Job") {
        val id = job.jobId()
        if (id == null) +"not in the queue" else idLink(visit, "/jobs", id)
    }
    fact("Job type") { a(href = visit.link("/types/${Visit.encoded(job.jobType())}")) { mono(job.jobType()) } }
    fact("Attempts", job.maxAttempts().toString())
    fact("Timeout", job.timeout().inWords())
    fact("Priority", job.priority().toString())
    fact("Delay after its release", job.delay()?.inWords())
    if (job.continuable()) fact("Continuation", "its handler may continue in a further run")
}

private fun Facts.gate(gate: StepGate) {
    val after = gate.expiresAfter()
    if (after == null) {
        fact("Deadline", "none")
        return
    }
    fact("Deadline") {
        gate.expiresAt()?.let { moment(it) } ?: +"${after.inWords()} after its opening"
        gate.expiry()?.let { +": then ${it.inWords()}" }
    }
}
