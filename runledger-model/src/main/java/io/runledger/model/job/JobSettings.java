package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.flow.JobFlow;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that job requests, job steps, job types and changes of a type have in common. A value that is null is
 * not set: a job or step then takes it from the definition of its type, and a change keeps it. Only jobs and steps have a
 * flow; a type declares its own with its builder.
 *
 * <p>The values can be invalid, because a step is validated with its whole workflow. {@link JobRequest} and
 * {@link JobType} refuse invalid values.
 *
 * @param priority a larger number is claimed earlier
 * @param maxAttempts maximum number of attempts
 * @param timeout maximum duration of an attempt; a valid value is rounded up to whole seconds
 * @param retryPolicy decides whether and when a failed attempt is repeated
 * @param flow queue, limits, order and share of the job
 */
public record JobSettings(
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable RetryPolicy retryPolicy,
        JobFlow flow) {
    /** Settings of which none is set. */
    public static final JobSettings NONE = new JobSettings(null, null, null, null);

    public JobSettings {
        Objects.requireNonNull(flow, "flow");
        if (timeout != null && SettingRules.timeoutProblem(timeout).isEmpty()) {
            timeout = Duration.ofSeconds(SettingRules.seconds(timeout));
        }
    }

    /** Settings without a flow. */
    public JobSettings(
            @Nullable Integer priority,
            @Nullable Integer maxAttempts,
            @Nullable Duration timeout,
            @Nullable RetryPolicy retryPolicy) {
        this(priority, maxAttempts, timeout, retryPolicy, JobFlow.NONE);
    }

    /** These settings with another flow. */
    public JobSettings withFlow(JobFlow flow) {
        return new JobSettings(priority, maxAttempts, timeout, retryPolicy, flow);
    }

    /** These settings, with the values of {@code defaults} for those that are not set. */
    public JobSettings orElse(JobSettings defaults) {
        return new JobSettings(
                priority == null ? defaults.priority : priority,
                maxAttempts == null ? defaults.maxAttempts : maxAttempts,
                timeout == null ? defaults.timeout : timeout,
                retryPolicy == null ? defaults.retryPolicy : retryPolicy,
                flow.orElse(defaults.flow));
    }

    /** All invalid values, in a fixed order. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (maxAttempts != null) {
            SettingRules.maxAttemptsProblem(maxAttempts)
                    .map(message -> new Problem(ErrorCode.INVALID_MAX_ATTEMPTS, ErrorCode.DAG_MAX_ATTEMPTS, message))
                    .ifPresent(problems::add);
        }
        if (timeout != null) {
            SettingRules.timeoutProblem(timeout)
                    .map(message -> new Problem(ErrorCode.INVALID_TIMEOUT, ErrorCode.DAG_TIMEOUT, message))
                    .ifPresent(problems::add);
        }
        flow.problems()
                .forEach(problem -> problems.add(new Problem(problem.code(), problem.code(), problem.message())));
        return problems;
    }

    /**
     * Returns these settings if all values are valid.
     *
     * @throws InvalidRequestException with the code of the first invalid value
     */
    public JobSettings requireValid() {
        problems().stream().findFirst().ifPresent(problem -> {
            throw new InvalidRequestException(problem.code(), problem.message());
        });
        return this;
    }

    /**
     * An invalid value.
     *
     * @param code error code if the settings belong to a job or a job type
     * @param stepCode error code if the settings belong to a step of a workflow
     * @param message description of the problem and of the correction
     */
    public record Problem(ErrorCode code, ErrorCode stepCode, String message) {}

    /**
     * The part of a builder that sets the settings. For the library's own builders; applications do not extend it.
     *
     * @param <B> the builder itself, which every method returns
     */
    public abstract static class Builder<B extends Builder<B>> {
        private @Nullable Integer priority;
        private @Nullable Integer maxAttempts;
        private @Nullable Duration timeout;
        private @Nullable RetryPolicy retryPolicy;

        protected Builder() {}

        /** @param priority any number; a larger number is claimed earlier */
        public final B priority(int priority) {
            this.priority = priority;
            return self();
        }

        /** @param maxAttempts 1 or more */
        public final B maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return self();
        }

        /** @param timeout maximum duration of an attempt; one second or more, rounded up to whole seconds */
        public final B timeout(Duration timeout) {
            this.timeout = timeout;
            return self();
        }

        /** Sets the retry policy. On a job or step, it overrides the retry policy of the job type. */
        public final B retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return self();
        }

        /** The settings so far, not validated. */
        protected JobSettings settings() {
            return new JobSettings(priority, maxAttempts, timeout, retryPolicy);
        }

        @SuppressWarnings("unchecked") // each builder passes its own type as B
        final B self() {
            return (B) this;
        }
    }

    /**
     * The part of a builder that sets the settings and the flow of one job. What is set here applies instead of what the
     * functions of the job type find in the payload. For the library's own builders; applications do not extend it.
     *
     * @param <B> the builder itself, which every method returns
     */
    public abstract static class FlowBuilder<B extends FlowBuilder<B>> extends Builder<B> {
        private JobFlow own = JobFlow.NONE;
        private JobFlow found = JobFlow.NONE;

        protected FlowBuilder() {}

        /**
         * Adds a limit for all jobs, or by organization, to those of the type. A job has at most four limits.
         *
         * @param name name of a declared limit
         */
        public final B limit(String name) {
            own = own.withLimit(name, null);
            return self();
        }

        /**
         * Adds a limit by key to those of the type, or sets the key of one that the type has. A job has at most four
         * limits.
         *
         * @param name name of a declared limit
         * @param key at most 200 bytes of UTF-8
         */
        public final B limit(String name, String key) {
            own = own.withLimit(name, Objects.requireNonNull(key, "key"));
            return self();
        }

        /**
         * Runs the job after all jobs with the same key that were enqueued before it. Without an order of the type, the
         * jobs of the type with the same key have one.
         *
         * @param key at most 200 bytes of UTF-8
         */
        public final B orderKey(String key) {
            own = own.withOrderKey(key);
            return self();
        }

        /** Takes the job out of the order of its type. */
        public final B unordered() {
            own = own.withoutOrder();
            return self();
        }

        /**
         * Puts the job in a share: the shares of a type take turns in its claims.
         *
         * @param key at most 200 bytes of UTF-8
         */
        public final B shareKey(String key) {
            own = own.withShareKey(key);
            return self();
        }

        /**
         * Puts the job in a queue, which operators can pause and limit.
         *
         * @param queue 1 to 100 letters, digits, dots, underscores and hyphens
         */
        public final B queue(String queue) {
            own = own.withQueue(queue);
            return self();
        }

        /** Sets what the functions of the job type found in the payload. */
        protected final void found(JobFlow flow) {
            this.found = flow;
        }

        @Override
        protected final JobSettings settings() {
            return super.settings().withFlow(own.orElse(found));
        }
    }
}
