package io.runledger.model.state;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a job comes from and what came from it.
 *
 * @param replayedFrom the succeeded job it repeats, if any
 * @param replays the jobs that repeat it, oldest first; unmodifiable
 * @param fire the scheduled instant that made it, if any
 * @param step the workflow step it runs for, if any
 */
public record JobLineage(
        @Nullable JobReplay replayedFrom,
        List<JobReplay> replays,
        @Nullable ScheduleFire fire,
        @Nullable Step step) {
    /**
     * Copies the replays.
     *
     * @param replayedFrom see the record
     * @param replays see the record
     * @param fire see the record
     * @param step see the record
     */
    public JobLineage {
        replays = List.copyOf(replays);
    }

    /**
     * The workflow step a job runs for.
     *
     * @param runId the run
     * @param workflowType the run's type
     * @param runStatus where the run stands
     * @param stepId the step
     * @param stepKey the step's key
     * @param stepStatus where the step stands
     */
    public record Step(
            UUID runId,
            String workflowType,
            WorkflowRunStatus runStatus,
            UUID stepId,
            String stepKey,
            WorkflowStepStatus stepStatus) {}
}
