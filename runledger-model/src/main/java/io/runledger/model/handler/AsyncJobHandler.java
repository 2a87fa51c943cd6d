package io.runledger.model.handler;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of a type asynchronously. Called concurrently by many threads; must not block. Jobs run at least once:
 * a handler may repeat work that was already done, so effects outside the ledger should be idempotent.
 *
 * <p>If the attempt times out, is canceled or loses its lease, the stage's {@code CompletableFuture} is canceled and
 * its result is ignored. Code that cannot observe this should use {@link JobContext#cancellation()}.
 */
@FunctionalInterface
public interface AsyncJobHandler<P extends @Nullable Object> {
    /**
     * @param job valid until the stage completes
     * @return the outcome of the attempt; a failed stage has the same effect as an exception, null as a panic
     * @throws Exception of any kind; recorded with its class and message, and retried according to the retry policy
     */
    CompletionStage<JobOutcome> handle(JobContext<P> job) throws Exception;
}
