package io.runledger.model.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.failure.JobFailure;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.handler.NotBefore;
import io.runledger.model.lease.Settlement;
import io.runledger.model.lease.Verdict;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Usage of policies and verdicts from Java. */
class RetryPolicyTest {
    private static final UUID JOB = new UUID(0, 500);

    private static final RetryPolicy MAIL = RetryPolicy.builder()
            .exponential(Duration.ofSeconds(5), 2)
            .cap(Duration.ofMinutes(10))
            .jitter(Jitter.ratio(0.2))
            .rule(RetryRule.onCode("mail.address_unknown").giveUp())
            .rule(RetryRule.onException(SocketTimeoutException.class).retry(Backoff.fixed(Duration.ofSeconds(1))))
            .retryPanics()
            .build();

    @Test
    void aPolicyAnswersWithAWaitOrGivesUp() {
        assertEquals(
                Optional.of(Duration.ofSeconds(30)),
                RetryPolicy.fixed(Duration.ofSeconds(30))
                        .delayAfter(JobFailure.retryable("mail.busy", "later"), 4, JOB));
        assertEquals(Optional.empty(), MAIL.delayAfter(JobFailure.retryable("mail.address_unknown", "x"), 1, JOB));
        assertEquals(
                Optional.of(Duration.ofSeconds(1)),
                MAIL.delayAfter(JobFailure.of(new SocketTimeoutException()), 1, JOB));
    }

    @Test
    void aPolicyIsBuiltWithoutItsParts() {
        var plain = RetryPolicy.builder()
                .exponential(Duration.ofSeconds(5), 2)
                .cap(Duration.ofMinutes(10))
                .jitter(0.2)
                .giveUpOn("mail.address_unknown")
                .retryOn(SocketTimeoutException.class, wait -> wait.fixed(Duration.ofSeconds(1)))
                .retryPanics()
                .build();

        assertEquals(MAIL, plain);
    }

    @Test
    void aRuleOfABuilderHasItsOwnWait() {
        var policy = RetryPolicy.builder()
                .fixed(Duration.ofSeconds(9))
                .jitter(Duration.ofSeconds(2))
                .retryOn(
                        "bank.*",
                        wait -> wait.linear(Duration.ofSeconds(1), Duration.ofSeconds(2))
                                .cap(Duration.ofSeconds(4))
                                .jitter(Duration.ofMillis(1)))
                .retryOn("usual", wait -> {})
                .giveUpOn(IllegalStateException.class)
                .build();

        assertEquals(
                Backoff.fixed(Duration.ofSeconds(9)).withJitter(Jitter.spread(Duration.ofSeconds(2))),
                policy.backoff());
        assertEquals(
                List.of(
                        RetryRule.onCode("bank.*")
                                .retry(Backoff.linear(Duration.ofSeconds(1), Duration.ofSeconds(2))
                                        .withCap(Duration.ofSeconds(4))
                                        .withJitter(Jitter.spread(Duration.ofMillis(1)))),
                        RetryRule.onCode("usual").retry(RetryPolicy.standard().backoff()),
                        RetryRule.onException(IllegalStateException.class).giveUp()),
                policy.rules());
    }

    @Test
    void aPolicyLimitsTheAttemptsOfAStep() {
        var policy = RetryPolicy.fixed(Duration.ofMinutes(5));

        assertEquals(StepRetries.atMost(3, policy), policy.atMost(3));
    }

    @Test
    void aPolicyGoesThroughAPlainMapAndBack() {
        Map<String, Object> plain = MAIL.toMap();

        assertEquals("exponential", plain.get("backoff"));
        assertEquals(MAIL, RetryPolicy.fromMap(plain));
        assertEquals(MAIL.hashCode(), RetryPolicy.fromMap(plain).hashCode());
    }

    @Test
    void verdictsAreSwitchedOnByKind() {
        AttemptBudget attempt = AttemptBudget.of(JOB, 1, 3);
        Instant base = Instant.parse("2026-01-01T00:00:00Z");

        assertEquals("done", described(Settlement.decide(attempt, JobOutcome.succeeded(), MAIL), base));
        assertEquals(
                "again at 2026-01-01T01:00:00Z",
                described(
                        Settlement.decide(
                                attempt, JobOutcome.retryAfter(Duration.ofHours(1), "mail.busy", "later"), MAIL),
                        base));
        assertEquals(
                "gave up: FAILURE_KIND_NON_RETRYABLE",
                described(Settlement.decide(attempt, JobOutcome.failed("mail.gone", "never"), MAIL), base));
        assertTrue(described(Settlement.decide(attempt, JobOutcome.continueNow(), MAIL), base)
                .startsWith("CONTINUE"));
    }

    private static String described(Verdict verdict, Instant base) {
        return switch (verdict.kind()) {
            case SUCCEED -> "done";
            case RETRY -> "again at " + dueAt((Verdict.Retry) verdict, base);
            case DEAD_LETTER -> "gave up: " + ((Verdict.DeadLetter) verdict).reason();
            case CONTINUE, SNOOZE, CANCEL, RELEASE -> verdict.kind() + ", attempt " + verdict.attemptOutcome();
        };
    }

    /** The ledger does the same with its own clock. */
    private static Instant dueAt(Verdict.Retry verdict, Instant base) {
        Instant byPolicy = base.plus(verdict.delay());
        NotBefore bound = verdict.notBefore();
        Instant byHandler = bound == null ? byPolicy : bound.from(base);
        return byHandler.isAfter(byPolicy) ? byHandler : byPolicy;
    }
}
