package io.runledger.model.run;

import io.runledger.model.json.Json;
import io.runledger.model.workflow.GateExpiry;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open gate that waits for its completion.
 *
 * @param organizationId organization of the run, or null for a global run
 * @param stepKey unique within the run
 * @param payload information for the completion of the gate
 * @param expiresAt deadline, or null if there is none
 * @param expiry status at the deadline; null if there is none
 */
public record OpenGate(
        UUID runId,
        String workflowType,
        @Nullable UUID organizationId,
        UUID stepId,
        String stepKey,
        Json payload,
        Instant openedAt,
        @Nullable Instant expiresAt,
        @Nullable GateExpiry expiry) {}
