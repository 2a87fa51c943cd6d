package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The condition under which a dependency is satisfied. */
public enum ReleaseMode implements WireText {
    /** The prerequisite ended in any way, including skipped. */
    ON_TERMINAL,
    /** The prerequisite succeeded. */
    ON_SUCCESS,
    /** The prerequisite failed or was canceled. */
    ON_FAILURE;

    /**
     * Whether a prerequisite with this final status satisfies the dependency.
     *
     * @throws IllegalArgumentException if the status is not final
     */
    public boolean isSatisfiedBy(WorkflowStepStatus ended) {
        if (!ended.isTerminal()) {
            throw new IllegalArgumentException(ended + " is not a final status");
        }
        return switch (this) {
            case ON_TERMINAL -> true;
            case ON_SUCCESS -> ended == WorkflowStepStatus.SUCCEEDED;
            case ON_FAILURE -> ended == WorkflowStepStatus.FAILED || ended == WorkflowStepStatus.CANCELED;
        };
    }
}
