package io.runledger.model.state;

import io.runledger.model.condition.Condition;
import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run as it stands: a job or a gate.
 *
 * @param id time-ordered
 * @param runId the run
 * @param stepKey its name, unique within the run
 * @param ordinal its place in the order of declaration
 * @param kind job or gate
 * @param status where it stands
 * @param statusReason why it is where it is
 * @param organizationId tenant its job belongs to: its own, else the run's
 * @param job the job's part; present exactly for {@link StepKind#JOB}
 * @param gate the gate's part; present exactly for {@link StepKind#EXTERNAL}
 * @param dependencies dependencies declared
 * @param pendingDependencies dependencies whose prerequisite has not ended
 * @param unsatisfiedDependencies dependencies that can no longer be satisfied
 * @param condition when it runs, once what it waits for allows it; null for in any case
 * @param payload what its handler, or whoever completes the gate, gets
 * @param output what it returned, or null when nothing
 * @param lastErrorCode code of the last failure
 * @param lastErrorMessage message of the last failure
 * @param releasedAt when its job was queued or its gate opened
 * @param startedAt when its job was first claimed
 * @param finishedAt when it ended
 * @param createdAt when it was declared or appended
 * @param updatedAt when the row last changed
 */
public record WorkflowStep(
        UUID id,
        UUID runId,
        String stepKey,
        int ordinal,
        StepKind kind,
        WorkflowStepStatus status,
        @Nullable String statusReason,
        @Nullable UUID organizationId,
        @Nullable StepJob job,
        @Nullable StepGate gate,
        int dependencies,
        int pendingDependencies,
        int unsatisfiedDependencies,
        @Nullable Condition condition,
        Json payload,
        @Nullable Json output,
        @Nullable String lastErrorCode,
        @Nullable String lastErrorMessage,
        @Nullable Instant releasedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        Instant createdAt,
        Instant updatedAt) {
    /**
     * Whether nothing follows by itself.
     *
     * @return true in the end states
     */
    public boolean isTerminal() {
        return status.isTerminal();
    }
}
