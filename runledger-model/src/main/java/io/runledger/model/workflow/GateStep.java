package io.runledger.model.workflow;

import io.runledger.model.condition.Condition;
import io.runledger.model.error.SourceLine;
import io.runledger.model.json.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that is completed from outside, for example by a person or another service.
 *
 * @param payload information for the completion of the gate
 * @param organizationId organization of the gate, or null for that of the run
 * @param expiresAfter time from the opening to the deadline, rounded up to whole seconds; null for no deadline
 * @param onExpiry status at the deadline
 * @param dependencies must be satisfied before the gate opens
 * @param condition condition checked after the dependencies are satisfied; null if there is none
 * @param declaredAt source line of the declaration; not compared by {@code equals}
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
    public GateStep {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(onExpiry, "onExpiry");
        Objects.requireNonNull(declaredAt, "declaredAt");
        dependencies = List.copyOf(dependencies);
    }

    /** A gate without a source line, for example a gate read from a run. */
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

    /** Starts a gate and records the source line of the caller. */
    public static Builder builder(String key) {
        return new Builder(key);
    }

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
         * Sets information for the completion of the gate.
         *
         * @param payload {@link io.runledger.model.json.Json}, or an object that the codec encodes
         */
        public Builder payload(@Nullable Object payload) {
            this.payload = Payload.of(payload);
            return this;
        }

        /** Opens the gate only after all of these steps. A step without a mode must succeed. */
        public Builder after(Upstream... upstream) {
            return after(List.of(upstream));
        }

        /** Opens the gate only after all of these steps. A step without a mode must succeed. */
        public Builder after(Iterable<? extends Upstream> upstream) {
            upstream.forEach(step -> dependencies.add(Dependency.of(step)));
            return this;
        }

        /**
         * Opens the gate only if the condition is true after its dependencies are satisfied; otherwise the gate is
         * skipped. The condition can use the prerequisites and the run's context. If the method is called twice, both
         * conditions must be true.
         */
        public Builder onlyIf(Condition condition) {
            Condition before = this.condition;
            this.condition = before == null ? condition : Condition.allOf(before, condition);
            return this;
        }

        /** Opens the gate only if at least one of the conditions is true; see {@link #onlyIf}. */
        public Builder onlyIfAny(Condition... conditions) {
            return onlyIf(Condition.anyOf(conditions));
        }

        /** Opens the gate only if none of the conditions is true; see {@link #onlyIf}. */
        public Builder onlyIfNone(Condition... conditions) {
            return onlyIf(Condition.noneOf(conditions));
        }

        /** Sets an organization that differs from that of the run. */
        public Builder organization(UUID organizationId) {
            this.organizationId = organizationId;
            return this;
        }

        /**
         * Fails the gate if it is not completed before the deadline.
         *
         * @param expiresAfter time from the opening to the deadline; one second or more, rounded up to whole seconds
         */
        public Builder expiresAfter(Duration expiresAfter) {
            return expiresAfter(expiresAfter, GateExpiry.FAILED);
        }

        /**
         * Ends the gate if it is not completed before the deadline.
         *
         * @param expiresAfter time from the opening to the deadline; one second or more, rounded up to whole seconds
         */
        public Builder expiresAfter(Duration expiresAfter, GateExpiry onExpiry) {
            this.expiresAfter = expiresAfter;
            this.onExpiry = onExpiry;
            return this;
        }

        /** Builds the gate. It is validated with its workflow. */
        public GateStep build() {
            return new GateStep(
                    key, payload, organizationId, expiresAfter, onExpiry, dependencies, condition, declaredAt);
        }
    }
}
