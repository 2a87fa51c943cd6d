package io.runledger.model.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call forgot.
 *
 * @param jobs jobs deleted
 * @param attempts their attempts
 * @param events their stored events
 * @param logs their log lines
 * @param deadLetters their dead letters
 * @param refused the jobs that the database refused to delete
 * @param next where to go on, or null when there was nothing left to look at
 */
public record PruneReport(
        int jobs,
        int attempts,
        int events,
        int logs,
        int deadLetters,
        List<PruneRefusal> refused,
        @Nullable String next) {
    /**
     * Copies the refusals.
     *
     * @param jobs see the record
     * @param attempts see the record
     * @param events see the record
     * @param logs see the record
     * @param deadLetters see the record
     * @param refused see the record
     * @param next see the record
     */
    public PruneReport {
        refused = List.copyOf(refused);
    }
}
