package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;

/**
 * A change made to a run after it started, under a key that makes it repeatable.
 *
 * @param id time-ordered
 * @param runId the run
 * @param kind what was changed
 * @param mutationKey unique within the run
 * @param metadata what the caller wanted kept; not compared
 * @param request what was asked for, compared when the key is used again
 * @param createdAt when it was applied
 * @param updatedAt when the row last changed
 */
public record RunMutation(
        UUID id,
        UUID runId,
        MutationKind kind,
        String mutationKey,
        Json metadata,
        Json request,
        Instant createdAt,
        Instant updatedAt) {}
