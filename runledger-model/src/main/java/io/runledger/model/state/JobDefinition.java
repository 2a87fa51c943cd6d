package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job type and its defaults. A job's own values are frozen when it is enqueued, so a change here touches later jobs only.
 *
 * @param jobType name of the type
 * @param version the declaring code's own version of the type
 * @param maxAttempts attempts of a job that names none
 * @param defaultTimeout timeout of a job that names none
 * @param defaultPriority priority of a job that names none; larger is claimed earlier
 * @param enabled false refuses new jobs; queued ones still run
 * @param paused true stops claiming; new jobs are still accepted
 * @param retryPolicy how failures are retried, or null for the library's standard policy
 * @param createdAt when the type was first declared
 * @param updatedAt when the row last changed
 */
public record JobDefinition(
        String jobType,
        int version,
        int maxAttempts,
        Duration defaultTimeout,
        int defaultPriority,
        boolean enabled,
        boolean paused,
        @Nullable Json retryPolicy,
        Instant createdAt,
        Instant updatedAt) {}
