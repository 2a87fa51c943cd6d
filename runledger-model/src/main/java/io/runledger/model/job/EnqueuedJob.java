package io.runledger.model.job;

import io.runledger.model.ledger.Disposition;
import java.util.UUID;

/**
 * The result of an enqueue.
 *
 * @param disposition whether this call created the job, found it under its key, or changed it
 * @param status current status; an existing job may have ended
 * @param runNumber number of the current run
 */
public record EnqueuedJob(UUID id, Disposition disposition, JobStatus status, int runNumber) {
    /** Whether this call created the job. */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}
