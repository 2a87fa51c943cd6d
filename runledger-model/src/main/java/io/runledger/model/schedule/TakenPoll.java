package io.runledger.model.schedule;

import java.time.Instant;
import java.util.UUID;

/**
 * A poll of a trigger, assigned to one worker until another worker may take it over.
 *
 * @param pollId fencing token of the poll
 * @param scheduledFor instant at which the poll was due
 */
public record TakenPoll(UUID scheduleId, String name, UUID pollId, Instant scheduledFor) {}
