package io.runledger.model.state;

import java.util.UUID;

/**
 * A gate that nobody completed in time.
 *
 * @param runId the run
 * @param stepKey the gate
 * @param status how it ended
 */
public record ExpiredGate(UUID runId, String stepKey, WorkflowStepStatus status) {}
