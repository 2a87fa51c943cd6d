package io.runledger.model.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call forgot.
 *
 * @param runs runs deleted, with their steps, dependencies, events and mutations
 * @param jobs their jobs, with attempts, events, logs and dead letters
 * @param refused the runs that the database refused to delete
 * @param next where to go on, or null when there was nothing left to look at
 */
public record PrunedRuns(
        int runs,
        int jobs,
        List<PruneRefusal> refused,
        @Nullable String next) {
    /**
     * Copies the refusals.
     *
     * @param runs see the record
     * @param jobs see the record
     * @param refused see the record
     * @param next see the record
     */
    public PrunedRuns {
        refused = List.copyOf(refused);
    }
}
