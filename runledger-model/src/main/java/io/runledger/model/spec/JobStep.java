package io.runledger.model.spec;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.json.Payload;
import io.runledger.model.policy.RetryPolicy;
import io.runledger.model.state.JobStage;
import io.runledger.model.state.StepKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that becomes a job when its dependencies are satisfied. What is null is taken from the job type's definition when the run
 * is enqueued.
 *
 * @param key the step's key
 * @param jobType name of the job type
 * @param payload what the handler gets
 * @param organizationId tenant of the job, or null to inherit the run's
 * @param priority larger is claimed earlier
 * @param maxAttempts how often it is tried
 * @param timeout how long one attempt may run, rounded up to whole seconds
 * @param delay how long after its release the job becomes due, rounded up to whole seconds
 * @param stage the stage the job starts in
 * @param retryPolicy how its failures are retried
 * @param mayContinue whether the handler may end a run of the job with "continue" without ending the step
 * @param dependencies what it waits for
 * @param condition when it runs, once what it waits for allows it; null for in any case
 * @param declaredAt where it was declared; no part of what it is
 */
public record JobStep(
        String key,
        String jobType,
        Payload payload,
        @Nullable UUID organizationId,
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable Duration delay,
        JobStage stage,
        @Nullable RetryPolicy retryPolicy,
        boolean mayContinue,
        List<Dependency> dependencies,
        @Nullable Condition condition,
        SourceLine declaredAt)
        implements StepRequest {
    /**
     * Copies the dependencies; what the values say is checked with the workflow.
     *
     * @param key see the record
     * @param jobType see the record
     * @param payload see the record
     * @param organizationId see the record
     * @param priority see the record
     * @param maxAttempts see the record
     * @param timeout see the record
     * @param delay see the record
     * @param stage see the record
     * @param retryPolicy see the record
     * @param mayContinue see the record
     * @param dependencies see the record
     * @param condition see the record
     * @param declaredAt see the record
     */
    public JobStep {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(jobType, "jobType");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(declaredAt, "declaredAt");
        dependencies = List.copyOf(dependencies);
    }

    /**
     * A step that was not written down, for example one read back from a run.
     *
     * @param key see the record
     * @param jobType see the record
     * @param payload see the record
     * @param organizationId see the record
     * @param priority see the record
     * @param maxAttempts see the record
     * @param timeout see the record
     * @param delay see the record
     * @param stage see the record
     * @param retryPolicy see the record
     * @param mayContinue see the record
     * @param dependencies see the record
     */
    public JobStep(
            String key,
            String jobType,
            Payload payload,
            @Nullable UUID organizationId,
            @Nullable Integer priority,
            @Nullable Integer maxAttempts,
            @Nullable Duration timeout,
            @Nullable Duration delay,
            JobStage stage,
            @Nullable RetryPolicy retryPolicy,
            boolean mayContinue,
            List<Dependency> dependencies) {
        this(
                key,
                jobType,
                payload,
                organizationId,
                priority,
                maxAttempts,
                timeout,
                delay,
                stage,
                retryPolicy,
                mayContinue,
                dependencies,
                null,
                SourceLine.UNKNOWN);
    }

    @Override
    public StepKind kind() {
        return StepKind.JOB;
    }

    /**
     * Starts a step whose job type is named like the step. Remembers the line that calls it.
     *
     * @param key the step's key
     * @return a builder
     */
    public static Builder builder(String key) {
        return new Builder(key);
    }

    /** Collects a job step. */
    public static final class Builder {
        private final String key;
        private final SourceLine declaredAt = CallSite.current();
        private final List<Dependency> dependencies = new ArrayList<>();
        private String jobType;
        private @Nullable Condition condition;
        private Payload payload = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable Integer priority;
        private @Nullable Integer maxAttempts;
        private @Nullable Duration timeout;
        private @Nullable Duration delay;
        private JobStage stage = JobStage.QUEUED;
        private @Nullable RetryPolicy retryPolicy;
        private boolean mayContinue;

        private Builder(String key) {
            this.key = key;
            this.jobType = key;
        }

        /**
         * Says which job the step runs. Without it the job type is named like the step and the payload is an empty object.
         *
         * @param type the declared type
         * @param payload what the handler gets
         * @param <P> the payload
         * @return this builder
         */
        public <P> Builder runs(JobType<P> type, P payload) {
            return runs(type.name(), Payload.of(payload, type.payloadType()));
        }

        /**
         * Says which job the step runs, for a type that is known by name only.
         *
         * @param jobType name of the job type
         * @param payload what the handler gets: {@link io.runledger.model.json.Json}, or an object the codec encodes
         * @return this builder
         */
        public Builder runs(String jobType, @Nullable Object payload) {
            this.jobType = jobType;
            this.payload = Payload.of(payload);
            return this;
        }

        /**
         * Sets the payload alone.
         *
         * @param payload what the handler gets: {@link io.runledger.model.json.Json}, or an object the codec encodes
         * @return this builder
         */
        public Builder payload(@Nullable Object payload) {
            this.payload = Payload.of(payload);
            return this;
        }

        /**
         * Waits for other steps, all of them. A bare step means its success.
         *
         * @param upstream what to wait for, in addition to what was said before
         * @return this builder
         */
        public Builder after(Upstream... upstream) {
            return after(List.of(upstream));
        }

        /**
         * Waits for other steps, all of them. A bare step means its success.
         *
         * @param upstream what to wait for, in addition to what was said before
         * @return this builder
         */
        public Builder after(Iterable<? extends Upstream> upstream) {
            upstream.forEach(step -> dependencies.add(Dependency.of(step)));
            return this;
        }

        /**
         * Uses the output of another step: waits for its success, and the handler gets the output with {@code job.input(input)}.
         * One step gives a step one input. Several steps may give the same input; the handler then gets them all with {@code
         * job.inputs(input)}.
         *
         * @param step a job or a gate
         * @param input what its output is to this step
         * @return this builder
         */
        public Builder uses(Upstream step, Input<?> input) {
            dependencies.add(new Dependency(step.step(), step.mode(), input.name()));
            return this;
        }

        /**
         * Uses the outputs of several steps, as after a fan-out: waits for the success of all, and the handler gets the outputs
         * with {@code job.inputs(input)}. None at all is fine, and so is what the handler gets then: an empty list.
         *
         * @param steps jobs and gates
         * @param input what each of their outputs is to this step
         * @return this builder
         */
        public Builder uses(Iterable<? extends Upstream> steps, Input<?> input) {
            steps.forEach(step -> uses(step, input));
            return this;
        }

        /**
         * Runs the step only if a condition is true, once everything it waits for has ended as needed; otherwise it is skipped.
         * The condition may look at the steps that it waits for, and at the run's context. Said twice, both must be true.
         *
         * @param condition what must be true
         * @return this builder
         */
        public Builder onlyIf(Condition condition) {
            Condition before = this.condition;
            this.condition = before == null ? condition : Condition.allOf(before, condition);
            return this;
        }

        /**
         * Runs the step for another organization than the run's.
         *
         * @param organizationId the tenant
         * @return this builder
         */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Sets the priority.
         *
         * @param priority any number; larger is claimed earlier
         * @return this builder
         */
        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        /**
         * Sets how often the job is tried.
         *
         * @param maxAttempts 1 or more
         * @return this builder
         */
        public Builder maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return this;
        }

        /**
         * Sets how long one attempt may run.
         *
         * @param timeout one second or more, rounded up to whole seconds
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /**
         * Makes the job due some time after the step is released.
         *
         * @param delay zero or more, rounded up to whole seconds
         * @return this builder
         */
        public Builder delay(Duration delay) {
            this.delay = delay;
            return this;
        }

        /**
         * Sets the stage the job starts in.
         *
         * @param stage the stage
         * @return this builder
         */
        public Builder stage(JobStage stage) {
            this.stage = stage;
            return this;
        }

        /**
         * Sets how failures are retried, whatever the job type says.
         *
         * @param retryPolicy the policy
         * @return this builder
         */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return this;
        }

        /**
         * Lets the handler end a run of the job with "continue" without ending the step.
         *
         * @return this builder
         */
        public Builder mayContinue() {
            this.mayContinue = true;
            return this;
        }

        /**
         * Makes the step; it is checked with its workflow.
         *
         * @return the step
         */
        public JobStep build() {
            return new JobStep(
                    key,
                    jobType,
                    payload,
                    organizationId,
                    priority,
                    maxAttempts,
                    timeout,
                    delay,
                    stage,
                    retryPolicy,
                    mayContinue,
                    dependencies,
                    condition,
                    declaredAt);
        }
    }
}
