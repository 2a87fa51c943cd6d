package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;

/**
 * Something that happened to a step. Read in the order of their numbers, the events of a run are the whole story of its steps.
 *
 * @param runId the run
 * @param number the event's place in the run's story, from 1
 * @param stepId the step
 * @param stepKey the step's key
 * @param type what happened
 * @param payload the event's own facts
 * @param occurredAt when it happened
 */
public record StepEvent(
        UUID runId, long number, UUID stepId, String stepKey, StepEventType type, Json payload, Instant occurredAt) {}
