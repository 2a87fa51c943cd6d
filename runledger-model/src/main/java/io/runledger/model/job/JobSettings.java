package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that job requests, job steps, job types and changes of a type have in common. A value that is null is
 * not set: a job or step then takes it from the definition of its type, and a change keeps it.
 *
 * <p>The values can be invalid, because a step is validated with its whole workflow. {@link JobRequest} and
 * {@link JobType} refuse invalid values.
 *
 * @param priority a larger number is claimed earlier
 * @param maxAttempts maximum number of attempts
 * @param timeout maximum duration of an attempt; a valid value is rounded up to whole seconds
 * @param retryPolicy decides whether and when a failed attempt is repeated
 */
public record JobSettings(
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable RetryPolicy retryPolicy) {
    /** Settings of which none is set. */
    public static final JobSettings NONE = new JobSettings(null, null, null, null);

    public JobSettings {
        if (timeout != null && SettingRules.timeoutProblem(timeout).isEmpty()) {
            timeout = Duration.ofSeconds(SettingRules.seconds(timeout));
        }
    }

    /** These settings, with the values of {@code defaults} for those that are not set. */
    public JobSettings orElse(JobSettings defaults) {
        return new JobSettings(
                priority == null ? defaults.priority : priority,
                maxAttempts == null ? defaults.maxAttempts : maxAttempts,
                timeout == null ? defaults.timeout : timeout,
                retryPolicy == null ? defaults.retryPolicy : retryPolicy);
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
        protected final JobSettings settings() {
            return new JobSettings(priority, maxAttempts, timeout, retryPolicy);
        }

        @SuppressWarnings("unchecked") // each builder passes its own type as B
        private B self() {
            return (B) this;
        }
    }
}
