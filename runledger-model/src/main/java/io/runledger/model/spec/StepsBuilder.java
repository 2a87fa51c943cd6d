package io.runledger.model.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects steps: the part that starting a workflow and appending to one have in common. */
public abstract sealed class StepsBuilder permits WorkflowRequest.Builder, AppendRequest.Builder {
    /** What was declared so far. */
    final List<StepRequest> steps = new ArrayList<>();

    StepsBuilder() {}

    /**
     * Declares a job step whose job type is named like the step.
     *
     * @param key unique within the run
     * @return what later steps wait for
     */
    public JobRef job(String key) {
        return job(key, job -> {});
    }

    /**
     * Declares a job step.
     *
     * @param key unique within the run
     * @param type the declared job type
     * @param payload what the handler gets
     * @param <P> the payload
     * @return what later steps wait for
     */
    public <P> JobRef job(String key, JobType<P> type, P payload) {
        return job(key, job -> job.runs(type, payload));
    }

    /**
     * Declares a job step.
     *
     * @param key unique within the run
     * @param settings says what it runs, what it waits for and how
     * @return what later steps wait for
     */
    public JobRef job(String key, Consumer<? super JobStep.Builder> settings) {
        JobStep.Builder job = JobStep.builder(key);
        settings.accept(job);
        steps.add(job.build());
        return new JobRef(key);
    }

    /**
     * Declares a gate that opens at once.
     *
     * @param key unique within the run
     * @return what later steps wait for
     */
    public GateRef externalGate(String key) {
        return externalGate(key, gate -> {});
    }

    /**
     * Declares a gate.
     *
     * @param key unique within the run
     * @param settings says what it waits for and how long it stays open
     * @return what later steps wait for
     */
    public GateRef externalGate(String key, Consumer<? super GateStep.Builder> settings) {
        GateStep.Builder gate = GateStep.builder(key);
        settings.accept(gate);
        steps.add(gate.build());
        return new GateRef(key);
    }

    /**
     * Adds steps that were made elsewhere.
     *
     * @param steps the steps, in order
     */
    public void add(StepRequest... steps) {
        this.steps.addAll(List.of(steps));
    }
}
