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
 * @param endsAt when a drain ends on its own; null when it stands until it is lifted, and for every stop
 * @param lifted how a drain ended, on its own or because somebody lifted it; null while it stood, and for every stop
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
     * The end of a standing order.
     *
     * @param reason why
     * @param by the database role that lifted it
     * @param at when
     */
    public record Lifting(String reason, String by, Instant at) {}

    /**
     * Whether it bound workers that started when it was read, by the database's clock.
     *
     * @return true for a drain that was not lifted and whose time was not up
     */
    public boolean isStanding() {
        return kind == WorkerOrderKind.DRAIN && lifted == null;
    }
}
