package io.runledger.model.spec;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.json.Payload;
import io.runledger.model.state.GateExpiry;
import io.runledger.model.state.StepKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that somebody outside completes: a person, another service.
 *
 * @param key the step's key
 * @param payload what whoever completes it should know
 * @param organizationId tenant of the gate, or null to inherit the run's
 * @param expiresAfter how long it stays open, rounded up to whole seconds; null for ever
 * @param onExpiry how it ends then
 * @param dependencies what it waits for before it opens
 * @param condition when it runs, once what it waits for allows it; null for in any case
 * @param declaredAt where it was declared; no part of what it is
 */
public record GateStep(
        String key,
        Payload payload,
        @Nullable UUID organizationId,
        @Nullable Duration expiresAfter,
        GateExpiry onExpiry,
        List<Dependency> dependencies,
        @Nullable Condition condition,
        SourceLine declaredAt)
        implements StepRequest {
    /**
     * Copies the dependencies; what the values say is checked with the workflow.
     *
     * @param key see the record
     * @param payload see the record
     * @param organizationId see the record
     * @param expiresAfter see the record
     * @param onExpiry see the record
     * @param dependencies see the record
     * @param condition see the record
     * @param declaredAt see the record
     */
    public GateStep {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(onExpiry, "onExpiry");
        Objects.requireNonNull(declaredAt, "declaredAt");
        dependencies = List.copyOf(dependencies);
    }

    /**
     * A gate that was not written down, for example one read back from a run.
     *
     * @param key see the record
     * @param payload see the record
     * @param organizationId see the record
     * @param expiresAfter see the record
     * @param onExpiry see the record
     * @param dependencies see the record
     */
    public GateStep(
            String key,
            Payload payload,
            @Nullable UUID organizationId,
            @Nullable Duration expiresAfter,
            GateExpiry onExpiry,
            List<Dependency> dependencies) {
        this(key, payload, organizationId, expiresAfter, onExpiry, dependencies, null, SourceLine.UNKNOWN);
    }

    @Override
    public StepKind kind() {
        return StepKind.EXTERNAL;
    }

    /**
     * Starts a gate. Remembers the line that calls it.
     *
     * @param key the step's key
     * @return a builder
     */
    public static Builder builder(String key) {
        return new Builder(key);
    }

    /** Collects a gate. */
    public static final class Builder {
        private final String key;
        private final SourceLine declaredAt = CallSite.current();
        private final List<Dependency> dependencies = new ArrayList<>();
        private @Nullable Condition condition;
        private Payload payload = Payload.empty();
        private @Nullable UUID organizationId;
        private @Nullable Duration expiresAfter;
        private GateExpiry onExpiry = GateExpiry.FAILED;

        private Builder(String key) {
            this.key = key;
        }

        /**
         * Sets what whoever completes the gate should know.
         *
         * @param payload {@link io.runledger.model.json.Json}, or an object the codec encodes
         * @return this builder
         */
        public Builder payload(@Nullable Object payload) {
            this.payload = Payload.of(payload);
            return this;
        }

        /**
         * Opens the gate only after other steps, all of them. A bare step means its success.
         *
         * @param upstream what to wait for, in addition to what was said before
         * @return this builder
         */
        public Builder after(Upstream... upstream) {
            return after(List.of(upstream));
        }

        /**
         * Opens the gate only after other steps, all of them. A bare step means its success.
         *
         * @param upstream what to wait for, in addition to what was said before
         * @return this builder
         */
        public Builder after(Iterable<? extends Upstream> upstream) {
            upstream.forEach(step -> dependencies.add(Dependency.of(step)));
            return this;
        }

        /**
         * Opens the gate only if a condition is true, once everything it waits for has ended as needed; otherwise it is skipped.
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
         * Gives the gate to another organization than the run's.
         *
         * @param organizationId the tenant
         * @return this builder
         */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Ends the gate as failed when nobody completes it in time.
         *
         * @param expiresAfter one second or more after it opened, rounded up to whole seconds
         * @return this builder
         */
        public Builder expiresAfter(Duration expiresAfter) {
            return expiresAfter(expiresAfter, GateExpiry.FAILED);
        }

        /**
         * Ends the gate by itself when nobody completes it in time.
         *
         * @param expiresAfter one second or more after it opened, rounded up to whole seconds
         * @param onExpiry how it ends then
         * @return this builder
         */
        public Builder expiresAfter(Duration expiresAfter, GateExpiry onExpiry) {
            this.expiresAfter = expiresAfter;
            this.onExpiry = onExpiry;
            return this;
        }

        /**
         * Makes the gate; it is checked with its workflow.
         *
         * @return the gate
         */
        public GateStep build() {
            return new GateStep(
                    key, payload, organizationId, expiresAfter, onExpiry, dependencies, condition, declaredAt);
        }
    }
}
