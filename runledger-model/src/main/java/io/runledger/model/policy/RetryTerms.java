package io.runledger.model.policy;

import java.util.Objects;

/**
 * How the failures of one job are retried as things stand, and who says so.
 *
 * @param policy whether and when
 * @param maxAttempts how often in all
 * @param source where the policy stands
 */
public record RetryTerms(RetryPolicy policy, int maxAttempts, Source source) {
    /** Where a policy stands. The first that has one decides. */
    public enum Source {
        /** With the job: it was enqueued with one, or its workflow step was declared with one. */
        JOB,
        /** With the job's type; a change there counts for jobs that wait already. */
        TYPE,
        /** Nowhere: {@link RetryPolicy#standard()}. */
        STANDARD
    }

    /**
     * Checks that nothing is missing.
     *
     * @param policy see the record
     * @param maxAttempts see the record
     * @param source see the record
     */
    public RetryTerms {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(source, "source");
    }
}
