package io.runledger.model.state;

import java.util.UUID;

/** What became of a request to do a succeeded job again. Only {@link Replayed} can have changed anything. */
public sealed interface ReplayOutcome {
    /**
     * The new job is there.
     *
     * @param replay which job repeats which
     * @param disposition whether it was made now or by the same request before
     */
    record Replayed(JobReplay replay, Disposition disposition) implements ReplayOutcome {}

    /**
     * There is no such job in the scope.
     *
     * @param sourceJobId the job that was to be repeated
     */
    record NotFound(UUID sourceJobId) implements ReplayOutcome {}

    /**
     * The job did not succeed, or not in the run the caller saw.
     *
     * @param sourceJobId the job that was to be repeated
     * @param actualStatus where it stands
     * @param actualRun its run
     */
    record ExpectationMismatch(UUID sourceJobId, JobStatus actualStatus, int actualRun) implements ReplayOutcome {}
}
