package io.runledger.model.job;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The result of a requeue. Only {@link Requeued} has changed data. */
public sealed interface RequeueOutcome {
    UUID jobId();

    /**
     * The job was requeued.
     *
     * @param runNumber number of the new run
     * @param nextRunAt time at which the job is due
     */
    record Requeued(UUID jobId, int runNumber, Instant nextRunAt) implements RequeueOutcome {}

    /** The job does not exist in the scope. */
    record NotFound(UUID jobId) implements RequeueOutcome {}

    /** The status or the run of the job differs from the expected one. */
    record ExpectationMismatch(UUID jobId, JobStatus actualStatus, int actualRun) implements RequeueOutcome {}

    /**
     * The job was canceled while its handler ran, and the handler may still be running.
     *
     * @param quietAt latest time at which the handler notices the cancellation
     * @param retryAfter time until {@code quietAt}, by the database's clock
     */
    record CancellationNotQuiesced(UUID jobId, Instant quietAt, Duration retryAfter) implements RequeueOutcome {}
}
