package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What code declared last about a job type, whether or not an operator's values count instead.
 *
 * @param maxAttempts attempts of a job that names none
 * @param timeout timeout of a job that names none
 * @param priority priority of a job that names none; larger is claimed earlier
 * @param enabled false refuses new jobs; queued ones still run
 * @param retryPolicy how failures are retried, or null for the library's standard policy
 */
public record DeclaredDefaults(
        int maxAttempts,
        Duration timeout,
        int priority,
        boolean enabled,
        @Nullable Json retryPolicy) {}
