package io.runledger.model.state;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a call forgot.
 *
 * @param runs runs deleted, with their steps, dependencies, events and mutations
 * @param jobs their jobs, with attempts, events, logs and dead letters
 * @param next where to go on, or null when there was nothing left to look at
 */
public record PrunedRuns(int runs, int jobs, @Nullable UUID next) {}
