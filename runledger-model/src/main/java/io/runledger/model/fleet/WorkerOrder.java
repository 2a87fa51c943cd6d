package io.runledger.model.fleet;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order of an operator to workers. Orders are kept in the ledger.
 *
 * @param label label of the addressed workers; null for all workers
 * @param orderedBy database role that gave the order
 * @param endsAt time at which a drain order ends automatically; null if it must be lifted, and for a stop order
 * @param lifted end of a drain order, automatically or by an operator; null while it is in effect, and for a stop order
 */
public record WorkerOrder(
        UUID id,
        WorkerOrderKind kind,
        @Nullable String label,
        String reason,
        String orderedBy,
        Instant orderedAt,
        @Nullable Instant endsAt,
        @Nullable Lifting lifted) {
    /**
     * The end of a drain order.
     *
     * @param by database role that lifted the order
     */
    public record Lifting(String reason, String by, Instant at) {}

    /**
     * Whether the order was in effect when it was read, by the database's clock: a drain order that was neither lifted
     * nor had reached its end.
     */
    public boolean isStanding() {
        return kind == WorkerOrderKind.DRAIN && lifted == null;
    }
}
