package io.runledger.model.policy;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.run.JobFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to do about failures of one sort. In a policy the first rule that matches decides. A rule's own backoff is used as it
 * is: the policy's cap and jitter do not touch it.
 *
 * @param subject what the pattern is compared with
 * @param pattern a code, a family of codes ending in {@code .*}, or the full name of an exception class
 * @param action what to do
 * @param backoff the wait of {@link Action#RETRY}, or null for the policy's own; null for {@link Action#GIVE_UP}
 */
public record RetryRule(
        Subject subject,
        String pattern,
        Action action,
        @Nullable Backoff backoff) {
    /** What a pattern is compared with. */
    public enum Subject {
        /** The failure's code. */
        CODE,
        /** The class of the exception and its superclasses. */
        EXCEPTION
    }

    /** What to do. */
    public enum Action {
        /** Try again. */
        RETRY,
        /** Make it a dead letter, whatever attempts are left. */
        GIVE_UP
    }

    /**
     * Checks the rule.
     *
     * @param subject see the record
     * @param pattern see the record
     * @param action see the record
     * @param backoff see the record
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a pattern that could never match, or a
     *     backoff in a rule that gives up
     */
    public RetryRule {
        Objects.requireNonNull(action, "action");
        pattern = subject == Subject.CODE ? Limits.code(pattern, "code") : Limits.exception(pattern, "exception");
        if (action == Action.GIVE_UP && backoff != null) {
            throw Limits.invalid("then", "cannot give up and wait: leave one of them out");
        }
    }

    /**
     * A rule for a code; as it stands it retries with the policy's own backoff.
     *
     * @param pattern a whole code, or a family such as {@code mail.*}, which matches {@code mail.bounced} but not {@code mail}
     * @return the rule
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a pattern that could never match
     */
    public static RetryRule onCode(String pattern) {
        return new RetryRule(Subject.CODE, pattern, Action.RETRY, null);
    }

    /**
     * A rule for an exception class and its subclasses; as it stands it retries with the policy's own backoff. Causes are not
     * looked at.
     *
     * @param type the class
     * @return the rule
     */
    public static RetryRule onException(Class<? extends Throwable> type) {
        return onException(type.getName());
    }

    /**
     * A rule for an exception class and its subclasses, by name; as it stands it retries with the policy's own backoff.
     *
     * @param className the full name, as {@link Class#getName()} gives it
     * @return the rule
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} for a name that could never match
     */
    public static RetryRule onException(String className) {
        return new RetryRule(Subject.EXCEPTION, className, Action.RETRY, null);
    }

    /**
     * The same rule, giving up.
     *
     * @return a copy
     */
    public RetryRule giveUp() {
        return new RetryRule(subject, pattern, Action.GIVE_UP, null);
    }

    /**
     * The same rule, retrying with a backoff of its own.
     *
     * @param backoff how long to wait
     * @return a copy
     */
    public RetryRule retry(Backoff backoff) {
        return new RetryRule(subject, pattern, Action.RETRY, backoff);
    }

    /**
     * Whether the rule is about this failure.
     *
     * @param failure how and why an attempt failed
     * @return true when code or exception match
     */
    public boolean matches(JobFailure failure) {
        return switch (subject) {
            case CODE -> matchesCode(failure.code());
            case EXCEPTION -> failure.exceptionTypes().contains(pattern);
        };
    }

    private boolean matchesCode(String code) {
        // The family's dot is part of what must match.
        return pattern.endsWith(Limits.FAMILY)
                ? code.startsWith(pattern.substring(0, pattern.length() - 1))
                : code.equals(pattern);
    }
}
