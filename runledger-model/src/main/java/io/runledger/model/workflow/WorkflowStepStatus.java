package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The status of a step. */
public enum WorkflowStepStatus implements WireText {
    /** The step waits for other steps. */
    BLOCKED,
    /** The gate is open. */
    WAITING_FOR_EXTERNAL,
    /** The job of the step is in the queue. */
    ENQUEUED,
    /** The job of the step was claimed. */
    RUNNING,
    /** Succeeded. */
    SUCCEEDED,
    /** The step failed permanently. */
    FAILED,
    /** The step was canceled, or a dependency cannot be satisfied. */
    CANCELED,
    /** The step did not run: its condition was false, or a required prerequisite was skipped. */
    SKIPPED;

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELED || this == SKIPPED;
    }
}
