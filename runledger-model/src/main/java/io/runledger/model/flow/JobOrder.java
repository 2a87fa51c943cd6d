package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of a job type: its jobs with the same key run one after another, in the order of the commits of their
 * enqueues.
 *
 * @param name types whose orders have the same name share the order of a key; null for the name of the job type
 * @param key organization, or a function of the payload
 * @param afterDeadLetter what happens to the jobs behind a dead letter
 * @param <P> payload type of the jobs
 */
public record JobOrder<P>(@Nullable String name, FlowKey<P> key, AfterDeadLetter afterDeadLetter) {
    /** @throws InvalidRequestException with {@code flow.invalid_name} if the name is not valid */
    public JobOrder {
        Objects.requireNonNull(afterDeadLetter, "afterDeadLetter");
        if (name != null) {
            FlowName.ORDER.require(name);
        }
        if (key.by() == KeyedBy.NONE) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "An order has no key: order the jobs by organization or by a function of the payload.");
        }
    }

    /** The part of a job type's declaration that describes its order. */
    public static final class Builder {
        private @Nullable String name;
        private AfterDeadLetter afterDeadLetter = AfterDeadLetter.HOLD;

        Builder() {}

        /**
         * Sets the name of the order; the default is the name of the job type. Types whose orders have the same name
         * share the order of a key.
         */
        public Builder named(String name) {
            this.name = name;
            return this;
        }

        /** Sets what happens to the jobs behind a dead letter; the default is {@link AfterDeadLetter#HOLD}. */
        public Builder afterDeadLetter(AfterDeadLetter afterDeadLetter) {
            this.afterDeadLetter = afterDeadLetter;
            return this;
        }

        <P> JobOrder<P> build(FlowKey<P> key) {
            return new JobOrder<>(name, key, afterDeadLetter);
        }
    }
}
