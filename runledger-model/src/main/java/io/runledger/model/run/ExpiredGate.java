package io.runledger.model.run;

import io.runledger.model.workflow.WorkflowStepStatus;
import java.util.UUID;

/** A gate that was not completed in time. */
public record ExpiredGate(UUID runId, String stepKey, WorkflowStepStatus status) {}
