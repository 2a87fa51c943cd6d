package io.runledger.model.workflow;

import io.runledger.model.job.JobType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Declares steps. The common base of the builders for workflows and appends. */
public abstract sealed class StepsBuilder permits WorkflowRequest.Builder, AppendRequest.Builder {
    final List<StepRequest> steps = new ArrayList<>();

    StepsBuilder() {}

    /** Declares a job step whose job type has the name of the step. */
    public JobRef job(String key) {
        return job(key, job -> {});
    }

    /** Declares a job step. */
    public <P> JobRef job(String key, JobType<P> type, P payload) {
        return job(key, job -> job.runs(type, payload));
    }

    /**
     * Declares a job step.
     *
     * @param settings sets job type, dependencies and other settings
     */
    public JobRef job(String key, Consumer<? super JobStep.Builder> settings) {
        JobStep.Builder job = JobStep.builder(key);
        settings.accept(job);
        steps.add(job.build());
        return new JobRef(key);
    }

    /** Declares a gate that opens immediately. */
    public GateRef externalGate(String key) {
        return externalGate(key, gate -> {});
    }

    /**
     * Declares a gate.
     *
     * @param settings sets dependencies, deadline and other settings
     */
    public GateRef externalGate(String key, Consumer<? super GateStep.Builder> settings) {
        GateStep.Builder gate = GateStep.builder(key);
        settings.accept(gate);
        steps.add(gate.build());
        return new GateRef(key);
    }

    /** Adds existing steps. */
    public void add(StepRequest... steps) {
        this.steps.addAll(List.of(steps));
    }
}
