package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a job type: its name, its payload type and the defaults of its jobs. Producers and workers share
 * the declaration; a producer does not need the handler on its class path.
 *
 * @param name unique among the ledger's job types
 * @param payloadType type as which payloads are decoded
 * @param version version of the declaration; raise it with every change, because an older version than the stored one
 *     changes nothing
 * @param maxAttempts default number of attempts
 * @param timeout maximum duration of an attempt, in whole seconds
 * @param priority default priority; a larger number is claimed earlier
 * @param enabled whether new jobs are accepted
 * @param retryPolicy retry policy, or null for {@link RetryPolicy#standard()}
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
    /** @throws InvalidRequestException with the code of the first invalid value */
    public JobType {
        Identifier.JOB_TYPE.require(name);
        Objects.requireNonNull(payloadType, "payloadType");
        if (version < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "version is " + version + ": versions start at 1.");
        }
        SettingRules.refuse(ErrorCode.INVALID_MAX_ATTEMPTS, SettingRules.maxAttemptsProblem(maxAttempts));
        SettingRules.refuse(ErrorCode.INVALID_TIMEOUT, SettingRules.timeoutProblem(timeout));
        timeout = Duration.ofSeconds(SettingRules.seconds(timeout));
    }

    /** Declares a type with the default settings: 8 attempts, a timeout of 15 minutes, priority 100. */
    public static <P> JobType<P> of(String name, Class<P> payloadType) {
        return builder(name, payloadType).build();
    }

    /** Declares a type whose payload is not decoded. */
    public static JobType<Json> json(String name) {
        return of(name, Json.class);
    }

    public static <P> Builder<P> builder(String name, Class<P> payloadType) {
        return new Builder<>(name, payloadType);
    }

    /**
     * Starts a declaration with a generic payload type. The caller must make sure that {@code P} and the type are the
     * same.
     *
     * @param payloadType type as which payloads are decoded, for example a {@code ParameterizedType}
     */
    public static <P> Builder<P> builder(String name, Type payloadType) {
        return new Builder<>(name, payloadType);
    }

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
         * Sets the version of the declaration; the default is 1. Raise it with every change of the declaration: a
         * declaration with an older version than the stored one changes nothing.
         *
         * @param version 1 or more
         */
        public Builder<P> version(int version) {
            this.version = version;
            return this;
        }

        /** @param maxAttempts 1 or more */
        public Builder<P> maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return this;
        }

        /** @param timeout one second or more, rounded up to whole seconds */
        public Builder<P> timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** @param priority any number; a larger number is claimed earlier */
        public Builder<P> priority(int priority) {
            this.priority = priority;
            return this;
        }

        /** Declares the type as disabled: new jobs are rejected, queued jobs still run. */
        public Builder<P> disabled() {
            this.enabled = false;
            return this;
        }

        public Builder<P> retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public JobType<P> build() {
            return new JobType<>(name, payloadType, version, maxAttempts, timeout, priority, enabled, retryPolicy);
        }
    }
}
