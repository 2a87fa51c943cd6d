package io.runledger.model.workflow;

import static io.runledger.model.condition.Condition.allOf;
import static io.runledger.model.condition.Condition.anyOf;
import static io.runledger.model.condition.Condition.context;
import static io.runledger.model.condition.Condition.noneOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.condition.Condition;
import io.runledger.model.handler.JobOutcome;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Usage of conditions and a run's context from Java. */
class ConditionTest {
    enum Country {
        DE,
        FR
    }

    @Test
    void aStepRunsOnlyIf() {
        var loan = WorkflowRequest.builder("loans.decide")
                .context(Map.of("country", Country.DE, "cents", 100))
                .contextMerge(ContextMerge.REFUSE);
        var score = loan.job("score");
        var review = loan.externalGate(
                "review", gate -> gate.after(score).onlyIf(score.output("risk").greaterThan(70)));
        loan.job(
                "pay",
                job -> job.after(review.onTerminal())
                        .onlyIf(allOf(
                                anyOf(review.succeeded(), review.skipped()),
                                noneOf(context("country").equalTo(Country.FR)))));

        var steps = loan.build().steps();

        assertEquals("score.output.risk > 70", String.valueOf(steps.get(1).condition()));
        assertEquals(
                "all of (any of (review succeeded, review skipped), none of (context.country = 'FR'))",
                String.valueOf(steps.get(2).condition()));
        assertEquals(Condition.Kind.COMBINED, steps.get(2).condition().kind());
        assertEquals(ContextMerge.REFUSE, loan.build().contextMerge());
    }

    @Test
    void aStepRunsOnlyIfAnyOrNone() {
        var loan = WorkflowRequest.builder("loans.decide");
        var score = loan.job("score");
        var review = loan.externalGate(
                "review",
                gate -> gate.after(score)
                        .onlyIfAny(
                                score.output("risk").greaterThan(70),
                                Condition.context("cents").atLeast(100))
                        .onlyIfNone(score.output("risk").greaterThan(99)));
        loan.job(
                "pay",
                job -> job.after(review.onTerminal())
                        .onlyIfAny(review.succeeded(), review.skipped())
                        .onlyIfNone(context("country").equalTo(Country.FR)));

        var steps = loan.build().steps();

        assertEquals(
                "all of (any of (score.output.risk > 70, context.cents >= 100), none of (score.output.risk > 99))",
                String.valueOf(steps.get(1).condition()));
        assertEquals(
                "all of (any of (review succeeded, review skipped), none of (context.country = 'FR'))",
                String.valueOf(steps.get(2).condition()));
    }

    @Test
    void aHandlerContributes() {
        var outcome =
                JobOutcome.succeeded("paid").contributing("account", "R-1").contributing("risk", 80);

        assertEquals(2, outcome.contributions().size());
        assertEquals("R-1", outcome.contributions().get("account").value());
    }
}
