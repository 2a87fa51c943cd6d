package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.failure.FailureKind;
import io.runledger.model.failure.JobFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Decides whether and when a failed attempt is retried. A policy is deterministic: it uses no clock and no random
 * numbers. The job, not the policy, sets the number of attempts.
 *
 * @param backoff wait if no rule matches
 * @param rules rules for specific failures; the first rule that matches applies
 * @param retryPanics whether {@link FailureKind#PANICKED} is treated like any other failure; if false, rules do not
 *     apply to it
 */
public record RetryPolicy(Backoff backoff, List<RetryRule> rules, boolean retryPanics) {
    private static final RetryPolicy STANDARD = new RetryPolicy(
            Backoff.exponential(Duration.ofSeconds(10), 2)
                    .withCap(Duration.ofMinutes(5))
                    .withJitter(Jitter.spread(Duration.ofMillis(500))),
            List.of(),
            false);

    public RetryPolicy {
        Objects.requireNonNull(backoff, "backoff");
        rules = List.copyOf(rules);
    }

    /** The default policy: 10 seconds, doubled up to 5 minutes, half a second of jitter, no retry after a panic. */
    public static RetryPolicy standard() {
        return STANDARD;
    }

    /**
     * Waits the same time before each retry, without jitter.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds 24
     *     days
     */
    public static RetryPolicy fixed(Duration wait) {
        return of(Backoff.fixed(wait));
    }

    /**
     * Makes each wait longer than the previous one by a fixed increment, without jitter.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or exceeds 24
     *     days
     */
    public static RetryPolicy linear(Duration initial, Duration increment) {
        return of(Backoff.linear(initial, increment));
    }

    /**
     * Makes each wait longer than the previous one by a fixed factor, without jitter.
     *
     * @param factor multiplier for each further attempt; 1 or more
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait or the factor is out of range
     */
    public static RetryPolicy exponential(Duration initial, double factor) {
        return of(Backoff.exponential(initial, factor));
    }

    /** A policy without rules. */
    public static RetryPolicy of(Backoff backoff) {
        return new RetryPolicy(backoff, List.of(), false);
    }

    /**
     * This policy with a limit of attempts, for one step of a machine.
     *
     * @param maxAttempts 1 or more
     * @throws InvalidRequestException with {@code job.invalid_max_attempts} if the number is below 1
     */
    public StepRetries atMost(int maxAttempts) {
        return StepRetries.atMost(maxAttempts, this);
    }

    /** Starts from the standard policy. */
    public static Builder builder() {
        return STANDARD.toBuilder();
    }

    /** Starts from this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * The wait before the retry.
     *
     * @param attempt number of the failed attempt, from 1; a smaller number counts as 1
     * @return 1 to {@link Integer#MAX_VALUE} milliseconds, or empty to give up
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
     * Converts the policy to strings, numbers, booleans, lists and maps, for storing it as JSON, for example
     * {@code {"backoff":"exponential","initial":"PT10S","factor":2,"cap":"PT5M","jitter":{"spread":"PT0.5S"}}}.
     */
    public Map<String, Object> toMap() {
        return PlainForm.write(this);
    }

    /**
     * Reads the result of {@link #toMap()}, also after a conversion to JSON and back.
     *
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a member is unknown, missing, of the
     *     wrong type or out of range; the message names the member
     */
    public static RetryPolicy fromMap(Map<String, ?> map) {
        return PlainForm.read(map);
    }

    /**
     * Builds a policy. The order of calls does not matter, except among rules. Setting a curve removes the cap and the
     * jitter of the initial policy. Not thread-safe.
     */
    public static final class Builder {
        private Backoff.Builder backoff;
        private final List<RetryRule> rules;
        private boolean retryPanics;

        private Builder(RetryPolicy policy) {
            backoff = new Backoff.Builder(policy.backoff);
            rules = new ArrayList<>(policy.rules);
            retryPanics = policy.retryPanics;
        }

        /** Replaces curve, cap and jitter, including values set earlier. */
        public Builder backoff(Backoff backoff) {
            this.backoff = new Backoff.Builder(backoff);
            return this;
        }

        /**
         * Waits the same time before each retry.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait is not positive or exceeds
         *     24 days
         */
        public Builder fixed(Duration wait) {
            backoff.fixed(wait);
            return this;
        }

        /**
         * Makes each wait longer than the previous one by a fixed increment.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a duration is not positive or
         *     exceeds 24 days
         */
        public Builder linear(Duration initial, Duration increment) {
            backoff.linear(initial, increment);
            return this;
        }

        /**
         * Makes each wait longer than the previous one by a fixed factor.
         *
         * @param factor multiplier for each further attempt; 1 or more
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the wait or the factor is out of
         *     range
         */
        public Builder exponential(Duration initial, double factor) {
            backoff.exponential(initial, factor);
            return this;
        }

        /**
         * @param max maximum wait before jitter
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the cap is not positive or exceeds
         *     24 days
         */
        public Builder cap(Duration max) {
            backoff.cap(max);
            return this;
        }

        public Builder jitter(Jitter jitter) {
            backoff.jitter(jitter);
            return this;
        }

        /**
         * Makes a wait shorter or longer by up to a share of the wait; see {@link Jitter#ratio}.
         *
         * @param ratio above 0 and at most 1, for example 0.2
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the share is out of range
         */
        public Builder jitter(double ratio) {
            backoff.jitter(ratio);
            return this;
        }

        /**
         * Makes a wait shorter or longer by up to a duration; see {@link Jitter#spread}.
         *
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the duration is not positive or
         *     exceeds 24 days
         */
        public Builder jitter(Duration spread) {
            backoff.jitter(spread);
            return this;
        }

        /** Adds a rule after the existing ones. */
        public Builder rule(RetryRule rule) {
            rules.add(Objects.requireNonNull(rule, "rule"));
            return this;
        }

        /**
         * Adds a rule: retries a failure code with its own backoff. The cap and the jitter of the policy do not apply
         * to it.
         *
         * @param code a code, or a family of codes such as {@code mail.*}
         * @param wait sets the backoff, for example {@code wait -> wait.fixed(Duration.ofMinutes(15))}
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the code cannot match or a value is
         *     out of range
         */
        public Builder retryOn(String code, Consumer<? super Backoff.Builder> wait) {
            return rule(RetryRule.onCode(code).retry(backoff(wait)));
        }

        /**
         * Adds a rule: retries an exception class and its subclasses with their own backoff. The cap and the jitter of
         * the policy do not apply to it.
         *
         * @param wait sets the backoff, for example {@code wait -> wait.fixed(Duration.ofMinutes(15))}
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if a value is out of range
         */
        public Builder retryOn(Class<? extends Throwable> type, Consumer<? super Backoff.Builder> wait) {
            return rule(RetryRule.onException(type).retry(backoff(wait)));
        }

        /**
         * Adds a rule: does not retry a failure code.
         *
         * @param code a code, or a family of codes such as {@code mail.*}
         * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the code cannot match
         */
        public Builder giveUpOn(String code) {
            return rule(RetryRule.onCode(code).giveUp());
        }

        /** Adds a rule: does not retry an exception class and its subclasses. */
        public Builder giveUpOn(Class<? extends Throwable> type) {
            return rule(RetryRule.onException(type).giveUp());
        }

        private static Backoff backoff(Consumer<? super Backoff.Builder> wait) {
            Backoff.Builder backoff = Backoff.builder();
            wait.accept(backoff);
            return backoff.build();
        }

        /** Retries a panic like any other failure; rules apply to it. */
        public Builder retryPanics() {
            retryPanics = true;
            return this;
        }

        /** The builder can be reused after this call. */
        public RetryPolicy build() {
            return new RetryPolicy(backoff.build(), rules, retryPanics);
        }
    }
}
