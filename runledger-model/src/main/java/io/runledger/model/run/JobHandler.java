package io.runledger.model.run;

import org.jspecify.annotations.Nullable;

/**
 * The work of one job type, as blocking code. Called by many threads at once. Delivery is at least once: the same attempt's
 * work may have been done before, so effects outside the ledger should be repeatable.
 *
 * <p>The thread is interrupted when the attempt times out, is canceled or loses its lease; a result returned after that is
 * ignored.
 *
 * @param <P> the payload
 */
@FunctionalInterface
public interface JobHandler<P extends @Nullable Object> {
    /**
     * Does the work.
     *
     * @param job what to do, and the line to the ledger; valid until this call returns
     * @return how the attempt ends; null counts as a panic
     * @throws Exception of any kind; recorded with its class and message, and tried again as the retry policy says
     */
    JobOutcome handle(JobContext<P> job) throws Exception;
}
