package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.Identifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;

/**
 * The declaration of a job type: its name, its payload type and the defaults of its jobs. Producers and workers share
 * the declaration; a producer does not need the handler on its class path.
 *
 * @param name unique among the ledger's job types
 * @param payloadType type as which payloads are decoded
 * @param version version of the declaration; raise it with every change, because an older version than the stored one
 *     changes nothing
 * @param enabled whether new jobs are accepted
 * @param settings defaults of the jobs. Every value is set, except that a retry policy of null stands for
 *     {@link RetryPolicy#standard()}. A value that the declaration does not set has its default: 8 attempts, a timeout
 *     of 15 minutes, priority 100
 */
public record JobType<P>(String name, Type payloadType, int version, boolean enabled, JobSettings settings) {
    private static final JobSettings DEFAULTS = new JobSettings(100, 8, Duration.ofMinutes(15), null);

    /** @throws InvalidRequestException with the code of the first invalid value */
    public JobType {
        Identifier.JOB_TYPE.require(name);
        Objects.requireNonNull(payloadType, "payloadType");
        if (version < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "version is " + version + ": versions start at 1.");
        }
        settings = settings.requireValid().orElse(DEFAULTS);
    }

    /** The default priority of the jobs; a larger number is claimed earlier. */
    public int priority() {
        return Objects.requireNonNull(settings.priority());
    }

    /** The default number of attempts of the jobs. */
    public int maxAttempts() {
        return Objects.requireNonNull(settings.maxAttempts());
    }

    /** The default timeout of an attempt, in whole seconds. */
    public Duration timeout() {
        return Objects.requireNonNull(settings.timeout());
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

    /** Builds a type. Settings that are not set have their default: 8 attempts, a timeout of 15 minutes, priority 100. */
    public static final class Builder<P> extends JobSettings.Builder<Builder<P>> {
        private final String name;
        private final Type payloadType;
        private int version = 1;
        private boolean enabled = true;

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

        /** Declares the type as disabled: new jobs are rejected, queued jobs still run. */
        public Builder<P> disabled() {
            this.enabled = false;
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public JobType<P> build() {
            return new JobType<>(name, payloadType, version, enabled, settings());
        }
    }
}
