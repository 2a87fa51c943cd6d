package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What somebody ordered workers to do. Orders stay in the ledger.
 *
 * @param id the order
 * @param kind what they are to do
 * @param label whom it is for: workers with this label, or every worker when null
 * @param reason why
 * @param orderedBy the database role that gave it
 * @param orderedAt when
 * @param lifted how a drain ended; null while it stands, and for every stop
 */
public record WorkerOrder(
        UUID id,
        WorkerOrderKind kind,
        @Nullable String label,
        String reason,
        String orderedBy,
        Instant orderedAt,
        @Nullable Lifting lifted) {
    /**
     * The end of a standing order.
     *
     * @param reason why
     * @param by the database role that lifted it
     * @param at when
     */
    public record Lifting(String reason, String by, Instant at) {}

    /**
     * Whether it binds workers that start now.
     *
     * @return true for a drain that was not lifted
     */
    public boolean isStanding() {
        return kind == WorkerOrderKind.DRAIN && lifted == null;
    }
}
