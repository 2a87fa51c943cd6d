package io.runledger.model.state;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What became of a request for another run. Only {@link Requeued} changed anything. */
public sealed interface RequeueOutcome {
    /**
     * The job that was meant.
     *
     * @return its id
     */
    UUID jobId();

    /**
     * The job runs again.
     *
     * @param jobId the job
     * @param runNumber its new run
     * @param nextRunAt when it is due
     */
    record Requeued(UUID jobId, int runNumber, Instant nextRunAt) implements RequeueOutcome {}

    /**
     * There is no such job in the scope.
     *
     * @param jobId the job
     */
    record NotFound(UUID jobId) implements RequeueOutcome {}

    /**
     * The job does not stand where the caller saw it.
     *
     * @param jobId the job
     * @param actualStatus where it stands
     * @param actualRun its run
     */
    record ExpectationMismatch(UUID jobId, JobStatus actualStatus, int actualRun) implements RequeueOutcome {}

    /**
     * The job was canceled under a handler that may still be running.
     *
     * @param jobId the job
     * @param quietAt by when the handler must have noticed
     * @param retryAfter how long that is from now, by the database's clock
     */
    record CancellationNotQuiesced(UUID jobId, Instant quietAt, Duration retryAfter) implements RequeueOutcome {}
}
