package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The status of a workflow run. */
public enum WorkflowRunStatus implements WireText {
    /** Steps are queued or running. */
    RUNNING,
    /** No step is running and at least one gate is open. */
    WAITING_FOR_EXTERNAL,
    /** Every step succeeded. */
    SUCCEEDED,
    /** The run ended, and at least one step failed or was canceled. */
    COMPLETED_WITH_ERRORS,
    /** Canceled. */
    CANCELED;

    public boolean isTerminal() {
        return this != RUNNING && this != WAITING_FOR_EXTERNAL;
    }
}
