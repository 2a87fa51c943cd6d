package io.runledger.model.policy;

import io.runledger.model.run.FailureKind;
import io.runledger.model.run.JobFailure;
import io.runledger.model.run.JobOutcome;
import io.runledger.model.run.NotBefore;
import io.runledger.model.state.DeadLetterReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns how an attempt ended into what becomes of its job. Pure: whoever writes the verdict checks it against the locked row. */
public final class Settlement {
    private Settlement() {}

    /**
     * Decides. A failure is retried unless its worker vanished on the last attempt, the policy gives up on it, or no attempt is
     * left; the first of these that holds names the dead letter's reason. Attempts given back before count neither against the
     * budget nor for the growth of the wait.
     *
     * @param attempt the attempt that ended
     * @param outcome how it ended
     * @param policy the job's retry policy
     * @return what becomes of the job
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
