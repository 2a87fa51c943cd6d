package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.flow.FlowKey;
import io.runledger.model.flow.JobOrder;
import io.runledger.model.flow.Limit;
import io.runledger.model.flow.TypeFlow;
import io.runledger.model.json.Json;
import io.runledger.model.retry.RetryPolicy;
import io.runledger.model.value.Identifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

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
 * @param flow queue, limits, order and shares of the jobs
 */
public record JobType<P>(
        String name, Type payloadType, int version, boolean enabled, JobSettings settings, TypeFlow<P> flow) {
    private static final JobSettings DEFAULTS = new JobSettings(100, 8, Duration.ofMinutes(15), null);

    /** @throws InvalidRequestException with the code of the first invalid value */
    public JobType {
        Identifier.JOB_TYPE.require(name);
        Objects.requireNonNull(payloadType, "payloadType");
        if (version < 1) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "version is " + version + ": versions start at 1.");
        }
        Objects.requireNonNull(flow, "flow");
        settings = withoutFlow(settings.requireValid()).orElse(DEFAULTS);
    }

    /** A type without queue, limits, order and shares. */
    public JobType(String name, Type payloadType, int version, boolean enabled, JobSettings settings) {
        this(name, payloadType, version, enabled, settings, TypeFlow.none());
    }

    private static JobSettings withoutFlow(JobSettings settings) {
        if (!settings.flow().isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The settings of a job type have the flow of a job: declare a TypeFlow instead.");
        }
        return settings;
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
        private final TypeFlow.Builder<P> flow = TypeFlow.builder();

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

        /**
         * Names a limit that another type declares. All jobs of the type are limited by it.
         *
         * @param limit unique in the ledger; 1 to 100 letters, digits, dots, underscores and hyphens
         */
        public Builder<P> limit(String limit) {
            return limit(limit, declared -> {});
        }

        /**
         * Declares a limit: how many jobs run at once, how many begin in a period, or both. Types that name the same limit
         * share it. A type has at most four limits.
         *
         * <p>{@code limit("crm-customer", l -> l.by(CrmPush::customer).permits(1))}
         *
         * @param limit unique in the ledger; 1 to 100 letters, digits, dots, underscores and hyphens
         * @param declaration sets the values and what the limit is keyed by; without values, another type declares them
         */
        public Builder<P> limit(String limit, Consumer<Limit.Builder<P>> declaration) {
            flow.limit(limit, declaration);
            return this;
        }

        /**
         * Runs jobs with the same key one after another, in the order of the commits of their enqueues. A dead letter holds
         * the jobs behind it.
         *
         * @param key the text of its result is the key; a job for which it returns null is in no order
         */
        public Builder<P> orderedBy(Function<? super P, ?> key) {
            return orderedBy(key, order -> {});
        }

        /** Orders the jobs as {@link #orderedBy(Function)} does, with another name or another rule for dead letters. */
        public Builder<P> orderedBy(Function<? super P, ?> key, Consumer<JobOrder.Builder> order) {
            flow.orderedBy(FlowKey.of(key), order);
            return this;
        }

        /** Runs the jobs of an organization one after another; so do the global jobs. See {@link #orderedBy(Function)}. */
        public Builder<P> orderedByOrganization() {
            return orderedByOrganization(order -> {});
        }

        /** Orders the jobs as {@link #orderedByOrganization()} does, with another name or another rule for dead letters. */
        public Builder<P> orderedByOrganization(Consumer<JobOrder.Builder> order) {
            flow.orderedBy(FlowKey.organization(), order);
            return this;
        }

        /**
         * Gives jobs with the same key one share of the type's claims: the shares take turns.
         *
         * @param key the text of its result is the key; it must not return null
         */
        public Builder<P> fairBy(Function<? super P, ?> key) {
            flow.fairBy(FlowKey.of(key));
            return this;
        }

        /** Gives each organization one share of the type's claims: the organizations take turns. */
        public Builder<P> fairByOrganization() {
            flow.fairBy(FlowKey.organization());
            return this;
        }

        /**
         * Puts the jobs in a queue, which operators can pause and limit.
         *
         * @param queue 1 to 100 letters, digits, dots, underscores and hyphens
         */
        public Builder<P> queue(String queue) {
            flow.queue(queue);
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public JobType<P> build() {
            return new JobType<>(name, payloadType, version, enabled, settings(), flow.build());
        }
    }
}
