package io.runledger.model.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The declared queue, limits, order and shares of a stored job type. The values of the limits are those of
 * {@link StoredLimit}.
 *
 * @param queue null for the default queue
 * @param limits in order of name; unmodifiable
 * @param order null for none
 * @param share what shares are by; null if the jobs have no shares
 */
public record DefinedFlow(
        @Nullable String queue,
        List<DefinedLimit> limits,
        @Nullable DefinedOrder order,
        @Nullable KeyedBy share) {
    /** No queue, limits, order or shares. */
    public static final DefinedFlow NONE = new DefinedFlow(null, List.of(), null, null);

    public DefinedFlow {
        limits = List.copyOf(limits);
    }

    /** A limit by name. */
    public record DefinedLimit(String name, KeyedBy by) {}

    /**
     * An order.
     *
     * @param name types whose orders have the same name share the order of a key
     */
    public record DefinedOrder(String name, KeyedBy by, AfterDeadLetter afterDeadLetter) {}
}
