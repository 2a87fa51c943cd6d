package io.runledger.model.handler;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs several jobs of a type in one call, asynchronously. Called concurrently by many threads; must not block. Jobs
 * run at least once: a handler may repeat work that was already done, so effects outside the ledger should be
 * idempotent.
 *
 * <p>Each job keeps its own lease, timeout, cancellation and outcome. If a job times out, is canceled or loses its
 * lease, its {@link JobContext#cancellation()} is requested and its outcome is ignored; the call continues for the
 * others. If all jobs of the call are asked to stop, the stage's {@code CompletableFuture} is canceled.
 */
@FunctionalInterface
public interface AsyncBatchJobHandler<P extends @Nullable Object> {
    /**
     * @param jobs one or more jobs, valid until the stage completes; immutable
     * @return the outcomes of the jobs; a job without an outcome fails with {@code job.handler_failed} and is retried.
     *     A failed stage has the same effect as an exception
     * @throws Exception of any kind; it fails every job of the call, and each is retried according to its retry policy
     */
    CompletionStage<BatchOutcome> handle(List<JobContext<P>> jobs) throws Exception;
}
