package io.runledger.model.run;

import io.runledger.model.condition.Condition;
import io.runledger.model.json.Json;
import io.runledger.model.workflow.StepKind;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a step, a job or a gate.
 *
 * @param id time-ordered
 * @param stepKey unique within the run
 * @param ordinal position in the order of declaration
 * @param statusReason reason for the status
 * @param organizationId organization of the step or, if it has none, of the run
 * @param job null unless the step is a {@link StepKind#JOB}
 * @param gate null unless the step is {@link StepKind#EXTERNAL}
 * @param dependencies number of dependencies
 * @param pendingDependencies number of dependencies whose prerequisite has not ended
 * @param unsatisfiedDependencies number of dependencies that can no longer be satisfied
 * @param condition condition checked after the dependencies are satisfied; null if there is none
 * @param payload payload of the job, or information for the completion of the gate
 * @param output null if there is none
 * @param releasedAt time at which the job was enqueued or the gate opened
 * @param startedAt time of the first claim of the job
 * @param createdAt time at which the step was declared or appended
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
    public boolean isTerminal() {
        return status.isTerminal();
    }
}
