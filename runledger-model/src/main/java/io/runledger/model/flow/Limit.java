package io.runledger.model.flow;

import io.runledger.model.error.InvalidRequestException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/**
 * A limit that a job type declares.
 *
 * @param name unique in the ledger; types that declare the same name share the limit
 * @param values permits and rate; {@link LimitValues#NONE} if another type declares them
 * @param key whether all jobs share the limit, or each organization or key has the whole limit
 * @param <P> payload type of the jobs
 */
public record Limit<P>(String name, LimitValues values, FlowKey<P> key) {
    /** @throws InvalidRequestException with {@code flow.invalid_name} if the name is not valid */
    public Limit {
        FlowName.LIMIT.require(name);
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(key, "key");
    }

    /** The part of a job type's declaration that describes one limit. */
    public static final class Builder<P> {
        private final String name;
        private LimitValues values = LimitValues.NONE;
        private FlowKey<P> key = FlowKey.none();

        Builder(String name) {
            this.name = name;
        }

        /** @param permits jobs that run at once in the whole fleet, 0 or more; 0 pauses the jobs */
        public Builder<P> permits(int permits) {
            values = values.withPermits(permits);
            return this;
        }

        /** Sets how many jobs may begin in a period, with a burst of a tenth of the count. */
        public Builder<P> rate(int count, Duration period) {
            return rate(Rate.of(count, period));
        }

        /** Sets how many jobs may begin in a period. */
        public Builder<P> rate(Rate rate) {
            values = values.withRate(rate);
            return this;
        }

        /**
         * Gives each key the whole limit. The key is the text of the function's result; a job for which the function
         * returns null is not limited.
         */
        public Builder<P> by(Function<? super P, ?> key) {
            this.key = FlowKey.of(key);
            return this;
        }

        /** Gives each organization the whole limit; the global jobs together count as one organization. */
        public Builder<P> byOrganization() {
            this.key = FlowKey.organization();
            return this;
        }

        Limit<P> build() {
            return new Limit<>(name, values, key);
        }
    }
}
