package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.model.condition.Condition;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.workflow.ContextMerge;
import io.runledger.model.workflow.WorkflowRequest;
import java.util.Map;

/** The loan decision of {@code LoanDecision.kt} in Java. */
public final class LoanDecisionInJava {
    public static final JobType<Applicant> RESERVE = JobType.of("loans.reserve", Applicant.class);
    public static final JobType<Applicant> SCORE = JobType.of("loans.score", Applicant.class);
    public static final JobType<Applicant> PAY = JobType.of("loans.pay", Applicant.class);
    public static final JobType<Applicant> RELEASE = JobType.of("loans.release", Applicant.class);

    private LoanDecisionInJava() {}

    /** A person approves only risky and large loans. If the loan is not paid, for any reason, the money is released. */
    public static WorkflowRequest loanDecision(Applicant applicant, long cents) {
        var workflow = WorkflowRequest.builder("loans.decide")
                .context(Map.of("cents", cents))
                .contextMerge(ContextMerge.REFUSE);
        var reserved = workflow.job("reserve", RESERVE, applicant);
        var scored = workflow.job("score", job -> job.runs(SCORE, applicant).after(reserved));
        var reviewed = workflow.externalGate(
                "review",
                gate -> gate.after(scored)
                        .onlyIfAny(
                                scored.output("risk").greaterThan(70),
                                Condition.context("cents").atLeast(1_000_000)));
        var paid = workflow.job(
                "pay",
                job -> job.runs(PAY, applicant)
                        .after(reviewed.onTerminal())
                        .onlyIfAny(reviewed.succeeded(), reviewed.skipped()));
        workflow.job(
                "release",
                job -> job.runs(RELEASE, applicant)
                        .after(reserved, paid.onTerminal())
                        .onlyIfNone(paid.succeeded()));
        return workflow.build();
    }

    /** Every later step can read the context values of the first step. */
    public static Handlers handlers() {
        return Handlers.builder()
                .blocking(
                        RESERVE,
                        job -> JobOutcome.succeeded()
                                .contributing("account", "R-" + job.payload().getName()))
                .blocking(
                        SCORE,
                        job -> job.payload().getIncome() < 0
                                ? JobOutcome.failed("loans.no_income", "The income is negative.")
                                : JobOutcome.succeeded(LoanDecisionKt.scoreOf(job.payload())))
                .blocking(PAY, job -> {
                    var cents = job.runContext("cents", Long.class).orElseThrow();
                    var account = job.runContext("account", String.class).orElseThrow();
                    return JobOutcome.succeeded("paid " + cents + " from " + account);
                })
                .blocking(
                        RELEASE,
                        job -> JobOutcome.succeeded("released "
                                + job.runContext("account", String.class).orElseThrow()))
                .build();
    }
}
