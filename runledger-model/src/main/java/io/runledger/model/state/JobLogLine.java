package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line a handler wrote to its job's log.
 *
 * @param id order of writing
 * @param jobId the job
 * @param runNumber the job's run
 * @param attempt the attempt, if any
 * @param level severity, as written; others may write other levels than the library's
 * @param message the line
 * @param payload structured facts beside the line
 * @param occurredAt when it was written
 */
public record JobLogLine(
        long id,
        UUID jobId,
        int runNumber,
        @Nullable Integer attempt,
        String level,
        String message,
        Json payload,
        Instant occurredAt) {}
