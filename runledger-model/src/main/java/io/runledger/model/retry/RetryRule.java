package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.failure.JobFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a retry policy for specific failures. The first rule that matches applies. The cap and the jitter of the
 * policy do not apply to the backoff of a rule.
 *
 * @param pattern a code, a family of codes ending in {@code .*}, or the full name of an exception class
 * @param backoff wait for {@link Action#RETRY}, or null for the backoff of the policy; null for {@link Action#GIVE_UP}
 */
public record RetryRule(
        Subject subject,
        String pattern,
        Action action,
        @Nullable Backoff backoff) {
    /** The property of a failure that a pattern is compared with. */
    public enum Subject {
        /** The failure's code. */
        CODE,
        /** The class of the exception, and its superclasses. */
        EXCEPTION
    }

    public enum Action {
        /** Retry. */
        RETRY,
        /** Make the job a dead letter, even if attempts are left. */
        GIVE_UP
    }

    /**
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the pattern cannot match, or if a rule
     *     that gives up has a backoff
     */
    public RetryRule {
        Objects.requireNonNull(action, "action");
        pattern = subject == Subject.CODE ? Limits.code(pattern, "code") : Limits.exception(pattern, "exception");
        if (action == Action.GIVE_UP && backoff != null) {
            throw Limits.invalid("then", "cannot give up and have a backoff: remove one of them");
        }
    }

    /**
     * A rule for a failure code. By default, it retries with the backoff of the policy.
     *
     * @param pattern a code, or a family of codes such as {@code mail.*}, which matches {@code mail.bounced} but not
     *     {@code mail}
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the pattern cannot match
     */
    public static RetryRule onCode(String pattern) {
        return new RetryRule(Subject.CODE, pattern, Action.RETRY, null);
    }

    /**
     * A rule for an exception class and its subclasses. By default, it retries with the backoff of the policy. Causes
     * are ignored.
     */
    public static RetryRule onException(Class<? extends Throwable> type) {
        return onException(type.getName());
    }

    /**
     * A rule for an exception class and its subclasses, by name. By default, it retries with the backoff of the policy.
     *
     * @param className full name, as returned by {@link Class#getName()}
     * @throws InvalidRequestException with {@code job.invalid_retry_policy} if the name cannot match
     */
    public static RetryRule onException(String className) {
        return new RetryRule(Subject.EXCEPTION, className, Action.RETRY, null);
    }

    /** Returns a copy that gives up. */
    public RetryRule giveUp() {
        return new RetryRule(subject, pattern, Action.GIVE_UP, null);
    }

    /** Returns a copy that retries with its own backoff. */
    public RetryRule retry(Backoff backoff) {
        return new RetryRule(subject, pattern, Action.RETRY, backoff);
    }

    public boolean matches(JobFailure failure) {
        return switch (subject) {
            case CODE -> matchesCode(failure.code());
            case EXCEPTION -> failure.exceptionTypes().contains(pattern);
        };
    }

    private boolean matchesCode(String code) {
        // The dot of the family is part of the prefix.
        return pattern.endsWith(Limits.FAMILY)
                ? code.startsWith(pattern.substring(0, pattern.length() - 1))
                : code.equals(pattern);
    }
}
