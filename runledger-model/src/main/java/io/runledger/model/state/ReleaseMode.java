package io.runledger.model.state;

/** When a dependency counts as satisfied. */
public enum ReleaseMode implements WireText {
    /** However the prerequisite ended, skipped included. */
    ON_TERMINAL,
    /** Only if it succeeded. */
    ON_SUCCESS,
    /** Only if it failed or was canceled. */
    ON_FAILURE;

    /**
     * Whether a prerequisite that ended this way satisfies the dependency.
     *
     * @param ended a terminal step status
     * @return true when the dependent may run
     * @throws IllegalArgumentException for a status that is not terminal
     */
    public boolean isSatisfiedBy(WorkflowStepStatus ended) {
        if (!ended.isTerminal()) {
            throw new IllegalArgumentException(ended + " is not an end state");
        }
        return switch (this) {
            case ON_TERMINAL -> true;
            case ON_SUCCESS -> ended == WorkflowStepStatus.SUCCEEDED;
            case ON_FAILURE -> ended == WorkflowStepStatus.FAILED || ended == WorkflowStepStatus.CANCELED;
        };
    }
}
