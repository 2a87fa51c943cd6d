package io.runledger.model.policy;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.run.FailureKind;
import io.runledger.model.run.JobFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a failed attempt is tried again. A value: no clock, no chance; the same failure of the same job always
 * gets the same answer. How many attempts there are is the job's business, not the policy's.
 *
 * @param backoff how long to wait when no rule says otherwise
 * @param rules what to do about failures of one sort; the first that matches decides
 * @param retryPanics whether {@link FailureKind#PANICKED} is treated like any other failure; if not, rules cannot revive it
 */
public record RetryPolicy(Backoff backoff, List<RetryRule> rules, boolean retryPanics) {
    private static final RetryPolicy STANDARD = new RetryPolicy(
            Backoff.exponential(Duration.ofSeconds(10), 2)
                    .withCap(Duration.ofMinutes(5))
                    .withJitter(Jitter.spread(Duration.ofMillis(500))),
            List.of(),
            false);

    /**
     * Copies the rules.
     *
     * @param backoff see the record
     * @param rules see the record
     * @param retryPanics see the record
     */
    public RetryPolicy {
        Objects.requireNonNull(backoff, "backoff");
        rules = List.copyOf(rules);
    }

    /**
     * What a job gets that names no policy: 10 s, doubling up to 5 min, half a second of jitter, no retry after a panic.
     *
     * @return the standard policy
     */
    public static RetryPolicy standard() {
        return STANDARD;
    }

    /**
     * Always the same wait, no jitter.
     *
     * @param wait the wait
     * @return the policy
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait that is not positive or above 24 days
     */
    public static RetryPolicy fixed(Duration wait) {
        return of(Backoff.fixed(wait));
    }

    /**
     * Each wait longer than the one before by the same span, no jitter.
     *
     * @param initial the first wait
     * @param increment what each further attempt adds
     * @return the policy
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
     */
    public static RetryPolicy linear(Duration initial, Duration increment) {
        return of(Backoff.linear(initial, increment));
    }

    /**
     * Each wait longer than the one before by the same factor, no jitter.
     *
     * @param initial the first wait
     * @param factor what each further attempt multiplies by; 1 or more
     * @return the policy
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait or factor out of range
     */
    public static RetryPolicy exponential(Duration initial, double factor) {
        return of(Backoff.exponential(initial, factor));
    }

    /**
     * A policy with this backoff and no rules.
     *
     * @param backoff how long to wait
     * @return the policy
     */
    public static RetryPolicy of(Backoff backoff) {
        return new RetryPolicy(backoff, List.of(), false);
    }

    /**
     * Starts from the standard policy.
     *
     * @return a builder
     */
    public static Builder builder() {
        return STANDARD.toBuilder();
    }

    /**
     * Starts from this policy.
     *
     * @return a builder; this policy does not change
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * When to try again.
     *
     * @param failure how and why the attempt failed
     * @param attempt which attempt it was, from 1; anything below counts as 1
     * @param jobId whose
     * @return from 1 to {@link Integer#MAX_VALUE} milliseconds, or empty to give up
     */
    public Optional<Duration> delayAfter(JobFailure failure, int attempt, UUID jobId) {
        if (failure.kind() == FailureKind.TERMINAL || (failure.kind() == FailureKind.PANICKED && !retryPanics)) {
            return Optional.empty();
        }
        for (RetryRule rule : rules) {
            if (rule.matches(failure)) {
                if (rule.action() == RetryRule.Action.GIVE_UP) {
                    return Optional.empty();
                }
                Backoff own = rule.backoff();
                return Optional.of((own == null ? backoff : own).delayAfter(attempt, jobId));
            }
        }
        return Optional.of(backoff.delayAfter(attempt, jobId));
    }

    /**
     * The policy in plain form, for storing as readable JSON: strings, numbers, booleans, lists and maps only, for example
     * {@code {"backoff":"exponential","initial":"PT10S","factor":2,"cap":"PT5M","jitter":{"spread":"PT0.5S"}}}.
     *
     * @return what {@link #fromMap(Map)} turns back into an equal policy
     */
    public Map<String, Object> toMap() {
        return PlainForm.write(this);
    }

    /**
     * Reads the plain form.
     *
     * @param map as {@link #toMap()} gives it, also after a detour through JSON
     * @return the policy
     * @throws InvalidRequestException with {@code job.invalid_retry_policy}, naming the member, for one that is unknown,
     *     missing, of the wrong type or out of range
     */
    public static RetryPolicy fromMap(Map<String, ?> map) {
        return PlainForm.read(map);
    }

    /**
     * Builds a policy step by step; the order of the calls does not matter, except among rules. Choosing a curve drops cap
     * and jitter of the policy it started from. Not safe for use by several threads.
     */
    public static final class Builder {
        private Backoff start;
        private @Nullable Curve curve;
        private @Nullable Duration cap;
        private @Nullable Jitter jitter;
        private final List<RetryRule> rules;
        private boolean retryPanics;

        private Builder(RetryPolicy policy) {
            start = policy.backoff;
            rules = new ArrayList<>(policy.rules);
            retryPanics = policy.retryPanics;
        }

        /**
         * Replaces curve, cap and jitter, also those chosen here before.
         *
         * @param backoff how long to wait
         * @return this builder
         */
        public Builder backoff(Backoff backoff) {
            start = Objects.requireNonNull(backoff, "backoff");
            curve = null;
            cap = null;
            jitter = null;
            return this;
        }

        /**
         * Always the same wait.
         *
         * @param wait the wait
         * @return this builder
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait that is not positive or above 24 days
         */
        public Builder fixed(Duration wait) {
            curve = new Curve.Fixed(wait);
            return this;
        }

        /**
         * Each wait longer than the one before by the same span.
         *
         * @param initial the first wait
         * @param increment what each further attempt adds
         * @return this builder
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a span that is not positive or above 24 days
         */
        public Builder linear(Duration initial, Duration increment) {
            curve = new Curve.Linear(initial, increment);
            return this;
        }

        /**
         * Each wait longer than the one before by the same factor.
         *
         * @param initial the first wait
         * @param factor what each further attempt multiplies by; 1 or more
         * @return this builder
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a wait or factor out of range
         */
        public Builder exponential(Duration initial, double factor) {
            curve = new Curve.Exponential(initial, factor);
            return this;
        }

        /**
         * Cuts the curve.
         *
         * @param max the longest wait before jitter
         * @return this builder
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a cap that is not positive or above 24 days
         */
        public Builder cap(Duration max) {
            cap = Limits.duration(max, "cap");
            return this;
        }

        /**
         * Moves the waits.
         *
         * @param jitter what moves them
         * @return this builder
         */
        public Builder jitter(Jitter jitter) {
            this.jitter = Objects.requireNonNull(jitter, "jitter");
            return this;
        }

        /**
         * Adds a rule after those already there.
         *
         * @param rule what to do about failures of one sort
         * @return this builder
         */
        public Builder rule(RetryRule rule) {
            rules.add(Objects.requireNonNull(rule, "rule"));
            return this;
        }

        /**
         * Tries again after a panic as after any other failure; rules then apply to it too.
         *
         * @return this builder
         */
        public Builder retryPanics() {
            retryPanics = true;
            return this;
        }

        /**
         * Finishes. The builder can go on and build others.
         *
         * @return the policy
         */
        public RetryPolicy build() {
            Backoff backoff = curve == null ? start : Backoff.of(curve);
            backoff = cap == null ? backoff : backoff.withCap(cap);
            backoff = jitter == null ? backoff : backoff.withJitter(jitter);
            return new RetryPolicy(backoff, rules, retryPanics);
        }
    }
}
