package io.runledger.model.run;

import io.runledger.model.job.JobStage;
import io.runledger.model.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The job settings of a step. They are fixed at the start of the run; later changes of the job type do not affect them.
 *
 * @param jobId null before the release and after the job was pruned
 * @param delay time from the release until the job is due
 * @param retryPolicy null for the retry policy of the job type
 * @param continuable whether the handler may continue the job in a further run
 * @param headers headers that the step adds to those of the run
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
        boolean continuable,
        Map<String, String> headers) {}
