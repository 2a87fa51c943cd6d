package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Json;
import io.runledger.model.policy.RetryPolicy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A declared job type: its name, what its payload looks like and the defaults of its jobs. Producer and worker share the
 * declaration; the handler need not be on the producer's class path.
 *
 * @param name unique among the ledger's job types
 * @param payloadType what payloads are decoded to
 * @param version the declaring code's own version of the type; raise it with every change, for an older declaration changes nothing
 * @param maxAttempts attempts of a job that names none
 * @param timeout how long one attempt may run, in whole seconds
 * @param priority priority of a job that names none; larger is claimed earlier
 * @param enabled whether new jobs are accepted
 * @param retryPolicy how failures are retried, or null for {@link RetryPolicy#standard()}
 * @param <P> the payload
 */
public record JobType<P>(
        String name,
        Type payloadType,
        int version,
        int maxAttempts,
        Duration timeout,
        int priority,
        boolean enabled,
        @Nullable RetryPolicy retryPolicy) {
    /**
     * Checks every value.
     *
     * @param name see the record
     * @param payloadType see the record
     * @param version see the record
     * @param maxAttempts see the record
     * @param timeout see the record
     * @param priority see the record
     * @param enabled see the record
     * @param retryPolicy see the record
     * @throws InvalidRequestException with the code of the first value that is not valid
     */
    public JobType {
        Identifier.JOB_TYPE.require(name);
        Objects.requireNonNull(payloadType, "payloadType");
        if (version < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "version is " + version + ": versions start at 1.");
        }
        JobRequest.refuse(ErrorCode.INVALID_MAX_ATTEMPTS, Setting.maxAttemptsProblem(maxAttempts));
        JobRequest.refuse(ErrorCode.INVALID_TIMEOUT, Setting.timeoutProblem(timeout));
        timeout = Duration.ofSeconds(Setting.seconds(timeout));
    }

    /**
     * Declares a type with the standard defaults: 8 attempts, 15 minutes, priority 100.
     *
     * @param name unique among the ledger's job types
     * @param payloadType what payloads are decoded to
     * @param <P> the payload
     * @return the declaration
     */
    public static <P> JobType<P> of(String name, Class<P> payloadType) {
        return builder(name, payloadType).build();
    }

    /**
     * Declares a type whose payload stays JSON.
     *
     * @param name unique among the ledger's job types
     * @return the declaration
     */
    public static JobType<Json> json(String name) {
        return of(name, Json.class);
    }

    /**
     * Starts a declaration with defaults of its own.
     *
     * @param name unique among the ledger's job types
     * @param payloadType what payloads are decoded to
     * @param <P> the payload
     * @return a builder
     */
    public static <P> Builder<P> builder(String name, Class<P> payloadType) {
        return new Builder<>(name, payloadType);
    }

    /**
     * Starts a declaration whose payload is a generic type. The caller answers for {@code P} and the type being the same.
     *
     * @param name unique among the ledger's job types
     * @param payloadType what payloads are decoded to, for example a {@code ParameterizedType}
     * @param <P> the payload
     * @return a builder
     */
    public static <P> Builder<P> builder(String name, Type payloadType) {
        return new Builder<>(name, payloadType);
    }

    /**
     * Collects a declaration.
     *
     * @param <P> the payload
     */
    public static final class Builder<P> {
        private final String name;
        private final Type payloadType;
        private int version = 1;
        private int maxAttempts = 8;
        private Duration timeout = Duration.ofMinutes(15);
        private int priority = 100;
        private boolean enabled = true;
        private @Nullable RetryPolicy retryPolicy;

        private Builder(String name, Type payloadType) {
            this.name = name;
            this.payloadType = payloadType;
        }

        /**
         * Sets the declaring code's own version; 1 unless given. Raise it with every change of the declaration: what is stored under a
         * newer version stays when an older build starts.
         *
         * @param version 1 or more
         * @return this builder
         */
        public Builder<P> version(int version) {
            this.version = version;
            return this;
        }

        /**
         * Sets how often a job is tried.
         *
         * @param maxAttempts 1 or more
         * @return this builder
         */
        public Builder<P> maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return this;
        }

        /**
         * Sets how long one attempt may run.
         *
         * @param timeout one second or more, rounded up to whole seconds
         * @return this builder
         */
        public Builder<P> timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /**
         * Sets the priority.
         *
         * @param priority any number; larger is claimed earlier
         * @return this builder
         */
        public Builder<P> priority(int priority) {
            this.priority = priority;
            return this;
        }

        /**
         * Declares the type as disabled: new jobs are refused, queued ones still run.
         *
         * @return this builder
         */
        public Builder<P> disabled() {
            this.enabled = false;
            return this;
        }

        /**
         * Sets how failures are retried.
         *
         * @param retryPolicy the policy
         * @return this builder
         */
        public Builder<P> retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return this;
        }

        /**
         * Checks and makes the declaration.
         *
         * @return the declaration
         * @throws InvalidRequestException with the code of the first value that is not valid
         */
        public JobType<P> build() {
            return new JobType<>(name, payloadType, version, maxAttempts, timeout, priority, enabled, retryPolicy);
        }
    }
}
