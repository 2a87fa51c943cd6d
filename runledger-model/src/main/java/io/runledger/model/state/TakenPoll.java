package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;

/**
 * A trigger's poll that is one worker's to do, until another may take it over.
 *
 * @param scheduleId the trigger
 * @param name its name
 * @param pollId proof that the poll is whose it is
 * @param scheduledFor the instant it was due
 */
public record TakenPoll(UUID scheduleId, String name, UUID pollId, Instant scheduledFor) {}
