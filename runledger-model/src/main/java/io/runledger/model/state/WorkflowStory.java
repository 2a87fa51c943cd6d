package io.runledger.model.state;

import java.util.List;

/**
 * A run with its graph and what happened to it and its steps, as of one moment. The lists are unmodifiable.
 *
 * @param run the run as it stands
 * @param steps all its steps, in the order declared
 * @param dependencies which step waits for which, all of them
 * @param events what happened to the steps, in order; the last 10,000 when there are more
 * @param runEvents when the run was paused and resumed, in order; the last 1,000 when there are more
 */
public record WorkflowStory(
        WorkflowRun run,
        List<WorkflowStep> steps,
        List<StepDependency> dependencies,
        List<StepEvent> events,
        List<RunEvent> runEvents) {
    /** The most events a story holds. */
    public static final int MAX_EVENTS = 10_000;

    /**
     * Copies the lists.
     *
     * @param run see the record
     * @param steps see the record
     * @param dependencies see the record
     * @param events see the record
     * @param runEvents see the record
     */
    public WorkflowStory {
        steps = List.copyOf(steps);
        dependencies = List.copyOf(dependencies);
        events = List.copyOf(events);
        runEvents = List.copyOf(runEvents);
    }
}
