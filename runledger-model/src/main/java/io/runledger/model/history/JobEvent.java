package io.runledger.model.history;

import io.runledger.model.job.JobStage;
import io.runledger.model.job.Progress;
import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of a job. The events of a job in the order of their numbers are its complete history.
 *
 * @param number position in the job's history, from 1
 * @param runNumber number of the job's run
 * @param attempt null before the first claim of the run
 * @param stage stage after the event
 * @param progress counts reported with the event, if any
 * @param payload data of the event
 */
public record JobEvent(
        UUID jobId,
        long number,
        int runNumber,
        @Nullable Integer attempt,
        JobEventType type,
        @Nullable JobStage stage,
        Progress progress,
        Json payload,
        Instant occurredAt) {
    /** The cursor of the events that follow this one, including events that are recorded later. */
    public String cursor() {
        return Long.toString(number);
    }
}
