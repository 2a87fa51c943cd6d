package io.runledger.model.run;

import io.runledger.model.ledger.Scope;
import java.time.Instant;
import java.util.UUID;

/**
 * The claim of a run on an active key. At most one run holds a key within a scope.
 *
 * @param scope scope in which the key is unique: global or one organization
 * @param activeKey independent of the workflow type
 * @param releasePending true if the run has ended but a canceled handler may still be running
 * @param createdAt time of the claim
 */
public record ActiveClaim(
        Scope scope, String activeKey, UUID runId, boolean releasePending, Instant createdAt, Instant updatedAt) {}
