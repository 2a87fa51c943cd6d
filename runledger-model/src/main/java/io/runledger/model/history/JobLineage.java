package io.runledger.model.history;

import io.runledger.model.job.JobReplay;
import io.runledger.model.schedule.ScheduleFire;
import io.runledger.model.workflow.WorkflowRunStatus;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a job, and the jobs that repeat it.
 *
 * @param replayedFrom succeeded job that this job repeats, if any
 * @param replays jobs that repeat this job, oldest first; unmodifiable
 * @param fire schedule fire that created the job, if any
 * @param step workflow step of the job, if any
 */
public record JobLineage(
        @Nullable JobReplay replayedFrom,
        List<JobReplay> replays,
        @Nullable ScheduleFire fire,
        @Nullable Step step) {
    public JobLineage {
        replays = List.copyOf(replays);
    }

    /** The workflow step of a job. */
    public record Step(
            UUID runId,
            String workflowType,
            WorkflowRunStatus runStatus,
            UUID stepId,
            String stepKey,
            WorkflowStepStatus stepStatus) {}
}
