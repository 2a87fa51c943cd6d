package io.runledger.model.job;

import io.runledger.model.ledger.Disposition;
import java.util.UUID;

/** The result of a replay. Only {@link Replayed} can have changed data. */
public sealed interface ReplayOutcome {
    /**
     * The new job exists.
     *
     * @param disposition whether this call or an earlier identical request created the job
     */
    record Replayed(JobReplay replay, Disposition disposition) implements ReplayOutcome {}

    /** The job does not exist in the scope. */
    record NotFound(UUID sourceJobId) implements ReplayOutcome {}

    /** The job has not succeeded, or its run is not the expected one. */
    record ExpectationMismatch(UUID sourceJobId, JobStatus actualStatus, int actualRun) implements ReplayOutcome {}
}
