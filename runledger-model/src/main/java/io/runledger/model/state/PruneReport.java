package io.runledger.model.state;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a call forgot.
 *
 * @param jobs jobs deleted
 * @param attempts their attempts
 * @param events their stored events
 * @param logs their log lines
 * @param deadLetters their dead letters
 * @param next where to go on, or null when there was nothing left to look at
 */
public record PruneReport(
        int jobs,
        int attempts,
        int events,
        int logs,
        int deadLetters,
        @Nullable UUID next) {}
