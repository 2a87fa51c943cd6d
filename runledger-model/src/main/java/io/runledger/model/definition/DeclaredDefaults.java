package io.runledger.model.definition;

import io.runledger.model.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last declared defaults of a job type. Overrides by an operator take precedence.
 *
 * @param maxAttempts default number of attempts
 * @param timeout default timeout of an attempt
 * @param priority default priority; a larger number is claimed earlier
 * @param enabled if false, new jobs are rejected and queued jobs still run
 * @param retryPolicy retry policy, or null for {@code RetryPolicy.standard()}
 */
public record DeclaredDefaults(
        int maxAttempts,
        Duration timeout,
        int priority,
        boolean enabled,
        @Nullable Json retryPolicy) {}
