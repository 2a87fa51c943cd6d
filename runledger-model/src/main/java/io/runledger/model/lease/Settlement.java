package io.runledger.model.lease;

import io.runledger.model.failure.FailureKind;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.handler.NotBefore;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.retry.AttemptBudget;
import io.runledger.model.retry.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a job proceeds after an attempt. A pure function: the code that writes the verdict checks it against the
 * locked row.
 */
public final class Settlement {
    private Settlement() {}

    /**
     * A failure is retried unless the lease expired on the last attempt, the policy gives up, or no attempt is left.
     * The first of these conditions that applies is the reason of the dead letter. Released attempts count neither as
     * attempts nor for the growth of the wait.
     */
    public static Verdict decide(AttemptBudget attempt, JobOutcome outcome, RetryPolicy policy) {
        if (outcome instanceof JobOutcome.Succeeded succeeded) {
            return new Verdict.Succeed(succeeded.output(), succeeded.contributions());
        }
        if (outcome instanceof JobOutcome.Failed failed) {
            return failed(attempt, failed.failure(), null, policy);
        }
        if (outcome instanceof JobOutcome.Retry retry) {
            return failed(attempt, retry.failure(), retry.notBefore(), policy);
        }
        if (outcome instanceof JobOutcome.Canceled canceled) {
            return new Verdict.Cancel(canceled.reason());
        }
        if (outcome instanceof JobOutcome.Continue more) {
            return new Verdict.Continue(more.payload(), more.checkpoint(), more.delay());
        }
        JobOutcome.Snooze snooze = (JobOutcome.Snooze) outcome;
        return new Verdict.Snooze(snooze.delay(), snooze.until());
    }

    private static Verdict failed(
            AttemptBudget attempt, JobFailure failure, @Nullable NotBefore notBefore, RetryPolicy policy) {
        if (failure.kind() == FailureKind.LEASE_EXPIRED && attempt.isLast()) {
            return new Verdict.DeadLetter(failure, DeadLetterReason.LEASE_EXPIRED);
        }
        Optional<Duration> delay = policy.delayAfter(failure, attempt.spent(), attempt.jobId());
        if (delay.isEmpty()) {
            return new Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE);
        }
        if (attempt.isLast()) {
            return new Verdict.DeadLetter(failure, DeadLetterReason.ATTEMPTS_EXHAUSTED);
        }
        return new Verdict.Retry(failure, delay.get(), notBefore);
    }
}
