package io.runledger.model.job;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line of a job's log.
 *
 * @param id ascending in the order of writing
 * @param runNumber number of the job's run
 * @param attempt null for a line that belongs to no attempt
 * @param level severity as written; other programs may write levels that the library does not define
 * @param payload structured data of the line
 */
public record JobLogLine(
        long id,
        UUID jobId,
        int runNumber,
        @Nullable Integer attempt,
        String level,
        String message,
        Json payload,
        Instant occurredAt) {
    /** The cursor of the lines that follow this one in the order of a list, including lines that are written later. */
    public String cursor() {
        return Long.toString(id);
    }
}
