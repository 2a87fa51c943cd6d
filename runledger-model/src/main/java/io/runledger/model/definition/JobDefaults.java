package io.runledger.model.definition;

import io.runledger.model.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The stored defaults of a job type's jobs: its {@link io.runledger.model.job.JobSettings} with every value set. The
 * retry policy has its stored form, so that a definition can be read even if its policy was edited by hand and is not
 * valid.
 *
 * @param priority a larger number is claimed earlier
 * @param maxAttempts default number of attempts
 * @param timeout default timeout of an attempt
 * @param retryPolicy retry policy, or null for {@code RetryPolicy.standard()}
 * @param enabled if false, new jobs are rejected and queued jobs still run
 */
public record JobDefaults(
        int priority,
        int maxAttempts,
        Duration timeout,
        @Nullable Json retryPolicy,
        boolean enabled) {}
