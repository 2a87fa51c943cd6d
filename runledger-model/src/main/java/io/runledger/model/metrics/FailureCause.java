package io.runledger.model.metrics;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The failed attempts of a job type with the same code.
 *
 * @param errorCode code of the failure; null if the row has none
 * @param count failed attempts, with and without a retry
 * @param lastAt when the last of them ended
 * @param window the time that was counted, up to now. It is shorter than the requested window if that has too many
 *     attempts to read
 */
public record FailureCause(String jobType, @Nullable String errorCode, long count, Instant lastAt, Duration window) {}
