package io.runledger.model.retention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a call deleted.
 *
 * @param refused jobs that the database did not delete
 * @param next position for the next call, or null if nothing is left
 */
public record PruneReport(
        int jobs,
        int attempts,
        int events,
        int logs,
        int deadLetters,
        List<PruneRefusal> refused,
        @Nullable String next) {
    public PruneReport {
        refused = List.copyOf(refused);
    }
}
