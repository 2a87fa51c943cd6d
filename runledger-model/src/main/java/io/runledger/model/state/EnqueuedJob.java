package io.runledger.model.state;

import java.util.UUID;

/**
 * What an enqueue answers.
 *
 * @param id the job
 * @param disposition whether it was written now or found under its idempotency key
 * @param status where it stands; an existing job may have ended long ago
 * @param runNumber its current run
 */
public record EnqueuedJob(UUID id, Disposition disposition, JobStatus status, int runNumber) {
    /**
     * Whether this call wrote the job.
     *
     * @return false when it was found under its idempotency key
     */
    public boolean isNew() {
        return disposition == Disposition.INSERTED;
    }
}
