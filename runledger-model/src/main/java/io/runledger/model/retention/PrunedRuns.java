package io.runledger.model.retention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a call deleted.
 *
 * @param runs deleted runs, with their steps, dependencies, events and mutations
 * @param jobs deleted jobs of these runs, with attempts, events, logs and dead letters
 * @param refused runs that the database did not delete
 * @param next position for the next call, or null if nothing is left
 */
public record PrunedRuns(
        int runs,
        int jobs,
        List<PruneRefusal> refused,
        @Nullable String next) {
    public PrunedRuns {
        refused = List.copyOf(refused);
    }
}
