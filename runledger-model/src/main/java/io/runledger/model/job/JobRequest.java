package io.runledger.model.job;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Payload;
import io.runledger.model.key.Debounce;
import io.runledger.model.key.KeyRule;
import io.runledger.model.key.ReplacedPart;
import io.runledger.model.key.Replacement;
import io.runledger.model.key.Uniqueness;
import io.runledger.model.value.Headers;
import io.runledger.model.value.Identifier;
import io.runledger.model.value.SettingRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job to be enqueued. Settings that are not set are taken from the job type's definition when the job is enqueued;
 * later changes of the definition do not affect the job.
 *
 * @param organizationId organization of the job, or null for a global job
 * @param delay time from the enqueue until the job is due, by the database's clock
 * @param runAt time at which the job is due; not allowed together with {@code delay}
 * @param idempotencyKey idempotency key of the enqueue, unique per job type and organization, permanently
 * @param keyRule what happens if an earlier job has the same key; null for a job without such a key. Not allowed
 *     together with {@code idempotencyKey}
 * @param stage initial stage
 * @param headers carried beside the payload; not compared when the idempotency key is used again
 */
public record JobRequest(
        String jobType,
        Payload payload,
        @Nullable UUID organizationId,
        JobSettings settings,
        @Nullable Duration delay,
        @Nullable Instant runAt,
        @Nullable String idempotencyKey,
        @Nullable KeyRule keyRule,
        JobStage stage,
        Map<String, String> headers) {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /** @throws InvalidRequestException with the code of the first invalid value */
    public JobRequest {
        Identifier.JOB_TYPE.require(jobType);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(stage, "stage");
        settings.requireValid();
        if (delay != null) {
            SettingRules.refuse(ErrorCode.INVALID_DELAY, SettingRules.delayProblem(delay));
            if (runAt != null) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_DELAY, "Both delay and runAt are set: use one of them.");
            }
        }
        if (runAt != null && (runAt.isBefore(EARLIEST) || runAt.isAfter(LATEST))) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_DELAY, "runAt is " + runAt + ": it must be between the years 1 and 9999.");
        }
        if (idempotencyKey != null) {
            Identifier.IDEMPOTENCY_KEY.require(idempotencyKey);
            if (keyRule != null) {
                throw new InvalidRequestException(
                        ErrorCode.KEY_NOT_COMBINABLE,
                        "An idempotency key is set together with a " + keyRule.kind() + " key: use one of them.");
            }
        }
        if (keyRule instanceof Debounce && (delay != null || runAt != null)) {
            throw new InvalidRequestException(
                    ErrorCode.KEY_NOT_COMBINABLE,
                    "A debounced job has a time of its own: set neither delay nor runAt.");
        }
        headers = Headers.requireValid(headers);
    }

    /** A job with the defaults of its type. */
    public static <P> JobRequest of(JobType<P> type, P payload) {
        return builder(type, payload).build();
    }

    /**
     * Starts a request. The functions of the type find the keys of the job's limits, order and share in the payload.
     *
     * @throws InvalidRequestException with {@code flow.key_function_failed} if a function throws, or with the code of the
     *     first key that is not valid
     */
    public static <P> Builder builder(JobType<P> type, P payload) {
        Builder builder = builder(type.name(), Payload.of(payload, type.payloadType()));
        builder.found(type.flow().of(type.name(), payload));
        return builder;
    }

    /**
     * Starts a request for a job type that is known only by name.
     *
     * @param payload {@link io.runledger.model.json.Json}, or an object that the codec encodes
     */
    public static Builder builder(String jobType, @Nullable Object payload) {
        return new Builder(jobType, Payload.of(payload));
    }

    public static final class Builder extends JobSettings.FlowBuilder<Builder> {
        private final String jobType;
        private final Payload payload;
        private @Nullable UUID organizationId;
        private @Nullable Duration delay;
        private @Nullable Instant runAt;
        private @Nullable String idempotencyKey;
        private @Nullable KeyRule keyRule;
        private JobStage stage = JobStage.QUEUED;
        private Map<String, String> headers = Map.of();

        private Builder(String jobType, Payload payload) {
            this.jobType = jobType;
            this.payload = payload;
        }

        /** Sets the organization; a job without one is global. */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Delays the job after the enqueue, by the database's clock.
         *
         * @param delay zero or more
         */
        public Builder delay(Duration delay) {
            this.delay = delay;
            return this;
        }

        /** Makes the job due at an instant. If the instant is in the past, the job is due immediately. */
        public Builder runAt(Instant runAt) {
            this.runAt = runAt;
            return this;
        }

        /**
         * Makes the enqueue idempotent: the same key with the same request returns the existing job; with another
         * request it causes a conflict.
         *
         * @param idempotencyKey unique per job type and organization, permanently
         */
        public Builder idempotencyKey(String idempotencyKey) {
            this.idempotencyKey = idempotencyKey;
            return this;
        }

        /**
         * Enqueues the job only if no earlier job with the same key stands in the way: otherwise the answer is the earlier
         * job. The rest of the request is not compared.
         */
        public Builder unique(Uniqueness uniqueness) {
            return rule(uniqueness);
        }

        /**
         * Enqueues at most one job with this key per period. Within the period, the answer is the job that began it,
         * whatever its state. The same as {@code unique(Uniqueness.within(key, every))}.
         */
        public Builder throttle(String key, Duration every) {
            return rule(Uniqueness.within(key, every));
        }

        /**
         * Makes the job due when no enqueue with this key has come for {@code pause}, and at the latest {@code atMost} after the
         * first. The payload and the headers of the last enqueue count; other settings are those of the first.
         */
        public Builder debounce(String key, Duration pause, Duration atMost) {
            return rule(new Debounce(key, pause, atMost));
        }

        /**
         * Replaces the given parts of the job with this key if that job still waits. Otherwise enqueues a job.
         *
         * @param parts at least one
         */
        public Builder replacePending(String key, ReplacedPart... parts) {
            return rule(new Replacement(key, Set.copyOf(Arrays.asList(parts))));
        }

        private Builder rule(KeyRule rule) {
            if (keyRule != null) {
                throw new InvalidRequestException(
                        ErrorCode.KEY_NOT_COMBINABLE,
                        "The job has a " + keyRule.kind() + " key already: it can have one key.");
            }
            this.keyRule = Objects.requireNonNull(rule, "rule");
            return this;
        }

        /** Sets the initial stage of the job. */
        public Builder stage(JobStage stage) {
            this.stage = stage;
            return this;
        }

        /**
         * Adds a header. Headers are not encrypted: they must not contain secrets.
         *
         * @param name 1 to 128 printable ASCII characters without spaces
         * @param value any text
         */
        public Builder header(String name, String value) {
            return headers(Collections.singletonMap(name, value));
        }

        /** Adds headers; see {@link #header}. */
        public Builder headers(Map<String, String> headers) {
            Map<String, String> all = new LinkedHashMap<>(this.headers);
            all.putAll(headers);
            this.headers = all;
            return this;
        }

        /** @throws InvalidRequestException with the code of the first invalid value */
        public JobRequest build() {
            return new JobRequest(
                    jobType,
                    payload,
                    organizationId,
                    settings(),
                    delay,
                    runAt,
                    idempotencyKey,
                    keyRule,
                    stage,
                    headers);
        }
    }
}
