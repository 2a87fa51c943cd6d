package io.runledger.model.history;

import io.runledger.model.run.StepDependency;
import io.runledger.model.run.WorkflowStep;
import io.runledger.model.workflow.WorkflowRun;
import java.util.List;

/**
 * A run with its graph and its history, read in one snapshot. The lists are unmodifiable.
 *
 * @param steps all steps, in the order of declaration
 * @param dependencies all dependencies between the steps
 * @param events events of the steps, in order; limited to the last 10,000
 * @param runEvents pauses and resumptions of the run, in order; limited to the last 1,000
 */
public record WorkflowStory(
        WorkflowRun run,
        List<WorkflowStep> steps,
        List<StepDependency> dependencies,
        List<StepEvent> events,
        List<RunEvent> runEvents) {
    /** The maximum number of step events. */
    public static final int MAX_EVENTS = 10_000;

    public WorkflowStory {
        steps = List.copyOf(steps);
        dependencies = List.copyOf(dependencies);
        events = List.copyOf(events);
        runEvents = List.copyOf(runEvents);
    }
}
