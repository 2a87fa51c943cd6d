package io.runledger.model.handler;

import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of a type with blocking code. Called concurrently by many threads. Jobs run at least once: a handler
 * may repeat work that was already done, so effects outside the ledger should be idempotent.
 *
 * <p>If the attempt times out, is canceled or loses its lease, the thread is interrupted and the result is ignored.
 */
@FunctionalInterface
public interface JobHandler<P extends @Nullable Object> {
    /**
     * @param job valid until this call returns
     * @return the outcome of the attempt; null has the effect of a panic
     * @throws Exception of any kind; recorded with its class and message, and retried according to the retry policy
     */
    JobOutcome handle(JobContext<P> job) throws Exception;
}
