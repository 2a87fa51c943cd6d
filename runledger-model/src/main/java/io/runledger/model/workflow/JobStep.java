package io.runledger.model.workflow;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.flow.JobFlow;
import io.runledger.model.job.JobSettings;
import io.runledger.model.job.JobStage;
import io.runledger.model.job.JobType;
import io.runledger.model.json.Payload;
import io.runledger.model.value.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that enqueues a job when its dependencies are satisfied. Settings that are not set are taken from the job
 * type's definition when the run is enqueued.
 *
 * @param organizationId organization of the job, or null for that of the run
 * @param delay time from the release until the job is due, rounded up to whole seconds
 * @param stage initial stage of the job
 * @param mayContinue whether the handler may return {@code Continue}, which does not end the step
 * @param headers added to those of the run; a name that both have keeps the value given here
 * @param condition condition checked after the dependencies are satisfied; null if there is none
 * @param declaredAt source line of the declaration; not compared by {@code equals}
 */
public record JobStep(
        String key,
        String jobType,
        Payload payload,
        @Nullable UUID organizationId,
        JobSettings settings,
        @Nullable Duration delay,
        JobStage stage,
        boolean mayContinue,
        Map<String, String> headers,
        List<Dependency> dependencies,
        @Nullable Condition condition,
        SourceLine declaredAt)
        implements StepRequest {
    public JobStep {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(jobType, "jobType");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(declaredAt, "declaredAt");
        headers = Headers.copyOf(headers);
        dependencies = List.copyOf(dependencies);
    }

    /** A step without a source line, for example a step read from a run. */
    public JobStep(
            String key,
            String jobType,
            Payload payload,
            @Nullable UUID organizationId,
            JobSettings settings,
            @Nullable Duration delay,
            JobStage stage,
            boolean mayContinue,
            List<Dependency> dependencies) {
        this(
                key,
                jobType,
                payload,
                organizationId,
                settings,
                delay,
                stage,
                mayContinue,
                Map.of(),
                dependencies,
                null,
                SourceLine.UNKNOWN);
    }

    @Override
    public StepKind kind() {
        return StepKind.JOB;
    }

    /** Starts a step and records the source line of the caller. The default job type has the name of the step. */
    public static Builder builder(String key) {
        return new Builder(key);
    }

    public static final class Builder extends JobSettings.FlowBuilder<Builder> {
        private final String key;
        private final SourceLine declaredAt = CallSite.current();
        private final List<Dependency> dependencies = new ArrayList<>();
        private final Map<String, String> headers = new LinkedHashMap<>();
        private String jobType;
        private @Nullable Condition condition;
        private Payload payload = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable Duration delay;
        private JobStage stage = JobStage.QUEUED;
        private boolean mayContinue;

        private Builder(String key) {
            this.key = key;
            this.jobType = key;
        }

        /**
         * Sets the job type and the payload. By default, the job type has the name of the step and the payload is an
         * empty object. The functions of the type find the keys of the job's limits, order and share in the payload.
         *
         * @throws io.runledger.model.error.InvalidRequestException with {@code flow.key_function_failed} if a function
         *     throws, or with the code of the first key that is not valid
         */
        public <P> Builder runs(JobType<P> type, P payload) {
            runs(type.name(), Payload.of(payload, type.payloadType()));
            found(type.flow().of(type.name(), payload));
            return this;
        }

        /**
         * Sets a job type that is known only by name, and the payload.
         *
         * @param payload {@link io.runledger.model.json.Json}, or an object that the codec encodes
         */
        public Builder runs(String jobType, @Nullable Object payload) {
            this.jobType = jobType;
            return payload(payload);
        }

        /** @param payload {@link io.runledger.model.json.Json}, or an object that the codec encodes */
        public Builder payload(@Nullable Object payload) {
            this.payload = Payload.of(payload);
            found(JobFlow.NONE);
            return this;
        }

        /** Waits for all of these steps. A step without a mode must succeed. */
        public Builder after(Upstream... upstream) {
            return after(List.of(upstream));
        }

        /** Waits for all of these steps. A step without a mode must succeed. */
        public Builder after(Iterable<? extends Upstream> upstream) {
            upstream.forEach(step -> dependencies.add(Dependency.of(step)));
            return this;
        }

        /**
         * Binds the output of another step to an input and waits for the success of that step. The handler reads the
         * output with {@code job.input(input)}. A step can be bound to one input. If several steps are bound to the
         * same input, the handler reads all outputs with {@code job.inputs(input)}.
         */
        public Builder uses(Upstream step, Input<?> input) {
            dependencies.add(new Dependency(step.step(), step.mode(), input.name()));
            return this;
        }

        /**
         * Binds the outputs of several steps to an input, for example after a fan-out, and waits for the success of all
         * steps. The handler reads the outputs with {@code job.inputs(input)}; without steps the list is empty.
         */
        public Builder uses(Iterable<? extends Upstream> steps, Input<?> input) {
            steps.forEach(step -> uses(step, input));
            return this;
        }

        /**
         * Runs the step only if the condition is true after its dependencies are satisfied; otherwise the step is
         * skipped. The condition can use the prerequisites and the run's context. If the method is called twice, both
         * conditions must be true.
         */
        public Builder onlyIf(Condition condition) {
            Condition before = this.condition;
            this.condition = before == null ? condition : Condition.allOf(before, condition);
            return this;
        }

        /** Runs the step only if at least one of the conditions is true; see {@link #onlyIf}. */
        public Builder onlyIfAny(Condition... conditions) {
            return onlyIf(Condition.anyOf(conditions));
        }

        /** Runs the step only if none of the conditions is true; see {@link #onlyIf}. */
        public Builder onlyIfNone(Condition... conditions) {
            return onlyIf(Condition.noneOf(conditions));
        }

        /** Sets an organization that differs from that of the run. */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Delays the job after the release of the step.
         *
         * @param delay zero or more, rounded up to whole seconds
         */
        public Builder delay(Duration delay) {
            this.delay = delay;
            return this;
        }

        /** Sets the initial stage of the job. */
        public Builder stage(JobStage stage) {
            this.stage = stage;
            return this;
        }

        /** Allows the handler to return {@code Continue}, which does not end the step. */
        public Builder mayContinue() {
            this.mayContinue = true;
            return this;
        }

        /**
         * Adds a header to those of the run, or replaces the run's header of the same name.
         * Headers are not encrypted: they must not contain secrets.
         *
         * @param name 1 to 128 printable ASCII characters without spaces
         * @param value any text
         */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** Adds headers; see {@link #header}. */
        public Builder headers(Map<String, String> headers) {
            this.headers.putAll(headers);
            return this;
        }

        /** Builds the step. It is validated with its workflow. */
        public JobStep build() {
            return new JobStep(
                    key,
                    jobType,
                    payload,
                    organizationId,
                    settings(),
                    delay,
                    stage,
                    mayContinue,
                    headers,
                    dependencies,
                    condition,
                    declaredAt);
        }
    }
}
