package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a step that is a job asks of the queue, already resolved: the job type's later defaults do not touch it.
 *
 * @param jobType type of its job
 * @param jobId its job, or null before release and after the job was pruned
 * @param priority priority of its job
 * @param maxAttempts attempts of its job
 * @param timeout timeout of its job
 * @param initialStage initial stage of its job
 * @param delay how long after release its job becomes due
 * @param retryPolicy its own retry policy, or null for that of its job type
 * @param continuable whether its handler may continue in a further run
 */
public record StepJob(
        String jobType,
        @Nullable UUID jobId,
        int priority,
        int maxAttempts,
        Duration timeout,
        JobStage initialStage,
        @Nullable Duration delay,
        @Nullable Json retryPolicy,
        boolean continuable) {}
