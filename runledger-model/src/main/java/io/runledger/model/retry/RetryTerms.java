package io.runledger.model.retry;

import java.util.Objects;

/**
 * The retry policy that currently applies to a job, and its source.
 *
 * @param maxAttempts maximum number of attempts
 */
public record RetryTerms(RetryPolicy policy, int maxAttempts, Source source) {
    /** The source of a retry policy, in order of precedence. */
    public enum Source {
        /** The request of the job, or the declaration of its workflow step. */
        JOB,
        /** The job type. A change of the type also applies to queued jobs. */
        TYPE,
        /** The default, {@link RetryPolicy#standard()}. */
        STANDARD
    }

    public RetryTerms {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(source, "source");
    }
}
