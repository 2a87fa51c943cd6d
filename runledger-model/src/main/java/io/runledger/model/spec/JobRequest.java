package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Payload;
import io.runledger.model.policy.RetryPolicy;
import io.runledger.model.state.JobStage;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job to be enqueued. What is null is taken from the job type's definition when the job is enqueued, and frozen then.
 *
 * @param jobType name of the job type
 * @param payload what the handler gets
 * @param organizationId tenant the job belongs to, or null for a global job
 * @param priority larger is claimed earlier
 * @param maxAttempts how often it is tried
 * @param timeout how long one attempt may run, in whole seconds
 * @param delay how long after the enqueue it becomes due, by the database's clock
 * @param runAt when it becomes due; never together with a delay
 * @param idempotencyKey makes the enqueue repeatable: unique per job type and organization, for ever
 * @param stage the stage it starts in
 * @param retryPolicy how this job's failures are retried
 */
public record JobRequest(
        String jobType,
        Payload payload,
        @Nullable UUID organizationId,
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        @Nullable Duration timeout,
        @Nullable Duration delay,
        @Nullable Instant runAt,
        @Nullable String idempotencyKey,
        JobStage stage,
        @Nullable RetryPolicy retryPolicy) {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Checks every value.
     *
     * @param jobType see the record
     * @param payload see the record
     * @param organizationId see the record
     * @param priority see the record
     * @param maxAttempts see the record
     * @param timeout see the record
     * @param delay see the record
     * @param runAt see the record
     * @param idempotencyKey see the record
     * @param stage see the record
     * @param retryPolicy see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
    public JobRequest {
        Identifier.JOB_TYPE.require(jobType);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(stage, "stage");
        if (maxAttempts != null) {
            refuse(ErrorCode.INVALID_MAX_ATTEMPTS, Setting.maxAttemptsProblem(maxAttempts));
        }
        if (timeout != null) {
            refuse(ErrorCode.INVALID_TIMEOUT, Setting.timeoutProblem(timeout));
            timeout = Duration.ofSeconds(Setting.seconds(timeout));
        }
        if (delay != null) {
            refuse(ErrorCode.INVALID_DELAY, Setting.delayProblem(delay));
            if (runAt != null) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_DELAY, "Both delay and runAt are given: give one of them.");
            }
        }
        if (runAt != null && (runAt.isBefore(EARLIEST) || runAt.isAfter(LATEST))) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_DELAY, "runAt is " + runAt + ": it must lie between the years 1 and 9999.");
        }
        if (idempotencyKey != null) {
            Identifier.IDEMPOTENCY_KEY.require(idempotencyKey);
        }
    }

    /**
     * A job with everything but type and payload left to the definition.
     *
     * @param type the declared type
     * @param payload what the handler gets
     * @param <P> the payload
     * @return the request
     */
    public static <P> JobRequest of(JobType<P> type, P payload) {
        return builder(type, payload).build();
    }

    /**
     * Starts a request.
     *
     * @param type the declared type
     * @param payload what the handler gets
     * @param <P> the payload
     * @return a builder
     */
    public static <P> Builder builder(JobType<P> type, P payload) {
        return builder(type.name(), Payload.of(payload, type.payloadType()));
    }

    /**
     * Starts a request for a type that is known by name only.
     *
     * @param jobType name of the job type
     * @param payload what the handler gets: {@link io.runledger.model.json.Json}, or an object the codec encodes
     * @return a builder
     */
    public static Builder builder(String jobType, @Nullable Object payload) {
        return new Builder(jobType, Payload.of(payload));
    }

    static void refuse(ErrorCode code, Optional<String> problem) {
        problem.ifPresent(sentence -> {
            throw new InvalidRequestException(code, sentence);
        });
    }

    /** Collects a request. */
    public static final class Builder {
        private final String jobType;
        private final Payload payload;
        private @Nullable UUID organizationId;
        private @Nullable Integer priority;
        private @Nullable Integer maxAttempts;
        private @Nullable Duration timeout;
        private @Nullable Duration delay;
        private @Nullable Instant runAt;
        private @Nullable String idempotencyKey;
        private JobStage stage = JobStage.QUEUED;
        private @Nullable RetryPolicy retryPolicy;

        private Builder(String jobType, Payload payload) {
            this.jobType = jobType;
            this.payload = payload;
        }

        /**
         * Gives the job to an organization.
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
         * Makes the job due some time after it is enqueued, by the database's clock.
         *
         * @param delay zero or more
         * @return this builder
         */
        public Builder delay(Duration delay) {
            this.delay = delay;
            return this;
        }

        /**
         * Makes the job due at an instant; one in the past is due at once.
         *
         * @param runAt the instant
         * @return this builder
         */
        public Builder runAt(Instant runAt) {
            this.runAt = runAt;
            return this;
        }

        /**
         * Makes the enqueue repeatable: the same key with the same request gives the existing job, with another request a
         * conflict.
         *
         * @param idempotencyKey unique per job type and organization, for ever
         * @return this builder
         */
        public Builder idempotencyKey(String idempotencyKey) {
            this.idempotencyKey = idempotencyKey;
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
         * Sets how this job's failures are retried, whatever its type says.
         *
         * @param retryPolicy the policy
         * @return this builder
         */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return this;
        }

        /**
         * Checks and makes the request.
         *
         * @return the request
         * @throws InvalidRequestException with the code of the first value that is not valid
         */
        public JobRequest build() {
            return new JobRequest(
                    jobType,
                    payload,
                    organizationId,
                    priority,
                    maxAttempts,
                    timeout,
                    delay,
                    runAt,
                    idempotencyKey,
                    stage,
                    retryPolicy);
        }
    }
}
