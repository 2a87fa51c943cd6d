package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;

/**
 * Which run holds an active key. At most one run holds a key within a scope.
 *
 * @param scope where the key is unique: global or one organization
 * @param activeKey the key; independent of the workflow type
 * @param runId the run that holds it
 * @param releasePending the run ended but a canceled handler may still be running
 * @param createdAt when it took the key
 * @param updatedAt when the row last changed
 */
public record ActiveClaim(
        Scope scope, String activeKey, UUID runId, boolean releasePending, Instant createdAt, Instant updatedAt) {}
