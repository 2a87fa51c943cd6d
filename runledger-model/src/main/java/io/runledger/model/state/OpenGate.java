package io.runledger.model.state;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A gate that waits for somebody.
 *
 * @param runId the run it holds up
 * @param workflowType name of the run's workflow
 * @param organizationId tenant the run belongs to, or null for a global run
 * @param stepId the gate
 * @param stepKey the gate's key, unique within the run
 * @param payload what whoever completes it should know
 * @param openedAt since when it waits
 * @param expiresAt when it ends by itself, or null when it waits for ever
 * @param expiry how it ends then; null when it waits for ever
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
