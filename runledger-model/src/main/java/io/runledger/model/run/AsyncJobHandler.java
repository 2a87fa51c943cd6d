package io.runledger.model.run;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The work of one job type, as a stage that completes later. Called by many threads at once and must not block. Delivery is
 * at least once: the same attempt's work may have been done before, so effects outside the ledger should be repeatable.
 *
 * <p>When the attempt times out, is canceled or loses its lease, the stage's {@code CompletableFuture} is canceled and its
 * result is ignored; work that cannot see that should watch {@link JobContext#cancellation()}.
 *
 * @param <P> the payload
 */
@FunctionalInterface
public interface AsyncJobHandler<P extends @Nullable Object> {
    /**
     * Starts the work.
     *
     * @param job what to do, and the line to the ledger; valid until the stage completes
     * @return a stage that tells how the attempt ends; failing it counts like throwing, null counts as a panic
     * @throws Exception of any kind; recorded with its class and message, and tried again as the retry policy says
     */
    CompletionStage<JobOutcome> handle(JobContext<P> job) throws Exception;
}
