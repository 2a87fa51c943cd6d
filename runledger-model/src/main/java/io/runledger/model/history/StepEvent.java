package io.runledger.model.history;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;

/**
 * An event of a step. The events of a run in the order of their numbers are the complete history of its steps.
 *
 * @param number position in the run's history, from 1
 * @param payload data of the event
 */
public record StepEvent(
        UUID runId, long number, UUID stepId, String stepKey, StepEventType type, Json payload, Instant occurredAt) {
    /** The cursor of the events that follow this one, including events that are recorded later. */
    public String cursor() {
        return Long.toString(number);
    }
}
