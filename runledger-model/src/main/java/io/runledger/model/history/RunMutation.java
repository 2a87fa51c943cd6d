package io.runledger.model.history;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;

/**
 * A change to a run after its start, made under an idempotency key.
 *
 * @param id time-ordered
 * @param mutationKey unique within the run
 * @param metadata metadata of the caller; not compared when the key is used again
 * @param request request, compared when the key is used again
 * @param createdAt time at which the change was applied
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
