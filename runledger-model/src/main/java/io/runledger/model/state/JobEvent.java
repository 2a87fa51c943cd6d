package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job. Read in the order of their numbers, the events of a job are its whole story.
 *
 * @param jobId the job
 * @param number the event's place in the job's story, from 1
 * @param runNumber the job's run
 * @param attempt the attempt, or null before the first claim of the run
 * @param type what happened
 * @param stage stage at or after the event
 * @param progress the counts the event carries, if any
 * @param payload the event's own facts
 * @param occurredAt when it happened
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
        Instant occurredAt) {}
