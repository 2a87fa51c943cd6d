package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import io.runledger.model.value.Identifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job says about its queue, limits, order and share. The rest follows from its type when the job is enqueued.
 *
 * <p>The values can be invalid, because a step is validated with its whole workflow.
 *
 * @param queue queue of the job; null for that of the type
 * @param limits limits by name, in addition to those of the type, with the key of each. A key of null stands for none: the
 *     limit has no keys, or the type has a limit by key, which does not apply to this job. Unmodifiable, in order of name
 * @param orderKey jobs with the same order key run one after another; null if it is not given
 * @param unordered whether the job is in no order although its type has one
 * @param shareKey share of the job; null if it is not given
 */
public record JobFlow(
        @Nullable String queue,
        Map<String, @Nullable String> limits,
        @Nullable String orderKey,
        boolean unordered,
        @Nullable String shareKey) {
    /** The maximum number of limits of a job, with those of its type. */
    public static final int MAX_LIMITS = 4;

    /** Says nothing: all follows from the type. */
    public static final JobFlow NONE = new JobFlow(null, Map.of(), null, false, null);

    // Not the compact form, for which the compiler forgets that a key may be null.
    public JobFlow(
            @Nullable String queue,
            Map<String, @Nullable String> limits,
            @Nullable String orderKey,
            boolean unordered,
            @Nullable String shareKey) {
        if (unordered && orderKey != null) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT, "The job has an order key and is in no order: use one of them.");
        }
        this.queue = queue;
        this.limits = limits.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(limits));
        this.orderKey = orderKey;
        this.unordered = unordered;
        this.shareKey = shareKey;
    }

    /** Whether nothing is said. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    public JobFlow withQueue(@Nullable String queue) {
        return new JobFlow(queue, limits, orderKey, unordered, shareKey);
    }

    /**
     * This flow with one more limit.
     *
     * @throws InvalidRequestException with {@code flow.invalid_limit} if it has the limit already, with another key
     */
    public JobFlow withLimit(String name, @Nullable String key) {
        if (limits.containsKey(name) && !Objects.equals(limits.get(name), key)) {
            throw new InvalidRequestException(
                    ErrorCode.FLOW_LIMIT_INVALID,
                    "The job names the limit " + Text.quoted(name) + " twice with different keys: use one of them.");
        }
        Map<String, @Nullable String> all = new TreeMap<>(limits);
        all.put(name, key);
        return new JobFlow(queue, all, orderKey, unordered, shareKey);
    }

    public JobFlow withOrderKey(String orderKey) {
        return new JobFlow(queue, limits, orderKey, false, shareKey);
    }

    /** This flow in no order, although the type of the job has one. */
    public JobFlow withoutOrder() {
        return new JobFlow(queue, limits, null, true, shareKey);
    }

    public JobFlow withShareKey(@Nullable String shareKey) {
        return new JobFlow(queue, limits, orderKey, unordered, shareKey);
    }

    /**
     * This flow, with what {@code other} says and this flow does not. A limit that both have keeps the key of this flow, or
     * has that of {@code other} if this one has none.
     */
    public JobFlow orElse(JobFlow other) {
        if (isEmpty()) {
            return other;
        }
        if (other.isEmpty()) {
            return this;
        }
        Map<String, @Nullable String> all = new TreeMap<>(other.limits);
        limits.forEach((name, key) -> {
            if (key != null || !all.containsKey(name)) {
                all.put(name, key);
            }
        });
        boolean ordered = orderKey != null || unordered;
        return new JobFlow(
                queue == null ? other.queue : queue,
                all,
                ordered ? orderKey : other.orderKey,
                ordered ? unordered : other.unordered,
                shareKey == null ? other.shareKey : shareKey);
    }

    /** All invalid values, in a fixed order. */
    public List<FlowProblem> problems() {
        if (isEmpty()) {
            return List.of();
        }
        List<FlowProblem> problems = new ArrayList<>();
        if (queue != null) {
            name(FlowName.QUEUE, queue, problems);
        }
        if (limits.size() > MAX_LIMITS) {
            problems.add(new FlowProblem(
                    ErrorCode.FLOW_TOO_MANY_LIMITS,
                    "The job has " + limits.size() + " limits: use at most " + MAX_LIMITS + "."));
        }
        limits.forEach((name, key) -> {
            name(FlowName.LIMIT, name, problems);
            key(key, "limit " + Text.quoted(name), problems);
        });
        key(orderKey, "order", problems);
        key(shareKey, "share", problems);
        return problems;
    }

    private static void name(FlowName rule, String name, List<FlowProblem> problems) {
        rule.problem(name).ifPresent(message -> problems.add(new FlowProblem(ErrorCode.FLOW_NAME_INVALID, message)));
    }

    private static void key(@Nullable String key, String of, List<FlowProblem> problems) {
        if (key != null) {
            Identifier.FLOW_KEY
                    .problem(key)
                    .ifPresent(message -> problems.add(
                            new FlowProblem(ErrorCode.FLOW_KEY_INVALID, "Key of the " + of + ": " + message)));
        }
    }
}
