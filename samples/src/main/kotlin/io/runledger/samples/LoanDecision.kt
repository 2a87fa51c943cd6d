package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.model.condition.Condition
import io.runledger.model.handler.JobOutcome
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.WorkflowRequest

data class Applicant(val name: String, val income: Long)

data class Score(val risk: Int)

object LoanJobs {
    val reserve = jobType<Applicant>("loans.reserve")
    val score = jobType<Applicant>("loans.score")
    val pay = jobType<Applicant>("loans.pay")
    val release = jobType<Applicant>("loans.release")
}

/** A person approves only risky and large loans. If the loan is not paid, for any reason, the money is released. */
fun loanDecision(applicant: Applicant, cents: Long): WorkflowRequest = workflow("loans.decide") {
    context(mapOf("cents" to cents))
    contextMerge(ContextMerge.REFUSE)
    val reserved = job("reserve") { runs(LoanJobs.reserve, applicant) }
    val scored = job("score") {
        runs(LoanJobs.score, applicant)
        after(reserved)
    }
    val reviewed = externalGate("review") {
        after(scored)
        onlyIfAny(scored.output("risk").greaterThan(70), Condition.context("cents").atLeast(1_000_000))
    }
    val paid = job("pay") {
        runs(LoanJobs.pay, applicant)
        after(reviewed.onTerminal())
        onlyIfAny(reviewed.succeeded(), reviewed.skipped())
    }
    job("release") {
        runs(LoanJobs.release, applicant)
        after(reserved, paid.onTerminal())
        onlyIfNone(paid.succeeded())
    }
}

/** Every later step can read the context values of the first step. */
val loanHandlers: Handlers = handlers {
    on(LoanJobs.reserve) { job ->
        JobOutcome.succeeded().contributing("account", "R-${job.payload().name}")
    }
    on(LoanJobs.score) { job ->
        val applicant = job.payload()
        if (applicant.income < 0) JobOutcome.failed("loans.no_income", "The income is negative.") else scoreOf(applicant)
    }
    on(LoanJobs.pay) { job ->
        "paid ${job.readRunContext<Long>("cents")} from ${job.readRunContext<String>("account")}"
    }
    on(LoanJobs.release) { job -> "released ${job.readRunContext<String>("account")}" }
}

fun scoreOf(applicant: Applicant): Score = Score(risk = if (applicant.income < 100_000) 90 else 10)
