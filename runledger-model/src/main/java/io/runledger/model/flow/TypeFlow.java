package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a job type declares about the queue, the limits, the order and the shares of its jobs.
 *
 * @param queue queue of the jobs; null for the default queue
 * @param limits at most {@value JobFlow#MAX_LIMITS}, in order of name; unmodifiable
 * @param order order of the jobs; null for none
 * @param share jobs with the same key share one turn of the claims of the type; null if the jobs have no shares
 * @param <P> payload type of the jobs
 */
public record TypeFlow<P>(
        @Nullable String queue,
        List<Limit<P>> limits,
        @Nullable JobOrder<P> order,
        @Nullable FlowKey<P> share) {
    private static final TypeFlow<?> NONE = new TypeFlow<>(null, List.of(), null, null);

    /** @throws InvalidRequestException with the code of the first invalid value */
    public TypeFlow {
        if (queue != null) {
            FlowName.QUEUE.require(queue);
        }
        if (limits.size() > JobFlow.MAX_LIMITS) {
            throw new InvalidRequestException(
                    ErrorCode.FLOW_TOO_MANY_LIMITS,
                    "The job type has " + limits.size() + " limits: use at most " + JobFlow.MAX_LIMITS + ".");
        }
        if (limits.stream().map(Limit::name).distinct().count() < limits.size()) {
            throw new InvalidRequestException(
                    ErrorCode.FLOW_LIMIT_INVALID, "The job type has two limits of the same name: keep one of them.");
        }
        if (share != null && share.by() == KeyedBy.NONE) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A share has no key: share by organization or by a function of the payload.");
        }
        limits = limits.stream().sorted(Comparator.comparing(Limit::name)).toList();
    }

    /** No queue, limits, order or shares. */
    @SuppressWarnings("unchecked") // has no function that takes a P
    public static <P> TypeFlow<P> none() {
        return (TypeFlow<P>) NONE;
    }

    /** Whether nothing is declared. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * What a job with this payload says, so that the ledger finds its keys.
     *
     * @param jobType name of the type, for messages
     * @throws InvalidRequestException with {@code flow.key_function_failed} if a function throws, with
     *     {@code flow.key_missing} if the function of the shares returns null, or with {@code flow.key_invalid} if a key is
     *     not valid
     */
    public JobFlow of(String jobType, P payload) {
        if (isEmpty()) {
            return JobFlow.NONE;
        }
        Map<String, @Nullable String> keys = new TreeMap<>();
        for (Limit<P> limit : limits) {
            if (limit.key().by() == KeyedBy.KEY) {
                keys.put(limit.name(), key(limit.key(), payload, "limit " + Text.quoted(limit.name()), jobType));
            }
        }
        JobFlow flow = new JobFlow(null, keys, null, false, null);
        if (order != null && order.key().by() == KeyedBy.KEY) {
            String key = key(order.key(), payload, "order", jobType);
            flow = key == null ? flow.withoutOrder() : flow.withOrderKey(key);
        }
        if (share != null && share.by() == KeyedBy.KEY) {
            String key = key(share, payload, "share", jobType);
            if (key == null) {
                throw new InvalidRequestException(
                        ErrorCode.FLOW_KEY_MISSING,
                        "The function for the share of a " + Text.quoted(jobType)
                                + " job returned null: return a key for every payload.");
            }
            flow = flow.withShareKey(key);
        }
        return requireValid(flow, jobType);
    }

    private static JobFlow requireValid(JobFlow flow, String jobType) {
        flow.problems().stream().findFirst().ifPresent(problem -> {
            throw new InvalidRequestException(
                    problem.code(),
                    "A function of job type " + Text.quoted(jobType) + " returned a key that is not" + " valid. "
                            + problem.message());
        });
        return flow;
    }

    private static <P> @Nullable String key(FlowKey<P> key, P payload, String noun, String jobType) {
        try {
            return key.of(payload);
        } catch (RuntimeException failure) {
            throw new InvalidRequestException(
                    ErrorCode.FLOW_KEY_FUNCTION,
                    "The function for the key of the " + noun + " of a " + Text.quoted(jobType) + " job threw "
                            + failure.getClass().getName() + ": correct the function, or the payload.",
                    failure.getMessage(),
                    failure);
        }
    }

    /** Starts a declaration of nothing. */
    public static <P> Builder<P> builder() {
        return new Builder<>();
    }

    /** Builds the declaration of a job type, see there. */
    public static final class Builder<P> {
        private final Map<String, Limit<P>> limits = new TreeMap<>();
        private @Nullable String queue;
        private @Nullable JobOrder<P> order;
        private @Nullable FlowKey<P> share;

        private Builder() {}

        /** Adds a limit. */
        public Builder<P> limit(String name, Consumer<Limit.Builder<P>> limit) {
            Limit.Builder<P> builder = new Limit.Builder<>(name);
            limit.accept(builder);
            Limit<P> added = builder.build();
            Limit<P> before = limits.putIfAbsent(added.name(), added);
            if (before != null && !before.equals(added)) {
                throw new InvalidRequestException(
                        ErrorCode.FLOW_LIMIT_INVALID,
                        "The job type declares the limit " + Text.quoted(name)
                                + " twice with different values: keep one of them.");
            }
            return this;
        }

        /** Orders the jobs by a key. */
        public Builder<P> orderedBy(FlowKey<P> key, Consumer<JobOrder.Builder> order) {
            JobOrder.Builder builder = new JobOrder.Builder();
            order.accept(builder);
            this.order = builder.build(key);
            return this;
        }

        /** Shares the claims of the type between keys. */
        public Builder<P> fairBy(FlowKey<P> key) {
            this.share = key;
            return this;
        }

        /** Puts the jobs in a queue. */
        public Builder<P> queue(String queue) {
            this.queue = queue;
            return this;
        }

        public TypeFlow<P> build() {
            return new TypeFlow<>(queue, List.copyOf(limits.values()), order, share);
        }
    }
}
