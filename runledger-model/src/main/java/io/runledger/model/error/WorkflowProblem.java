package io.runledger.model.error;

import java.io.Serializable;

/**
 * One thing that is wrong with a workflow.
 *
 * @param code what kind of mistake it is
 * @param where the part of the request that is wrong, for example {@code steps[2] 'ship'}
 * @param message what is wrong and how to mend it
 */
public record WorkflowProblem(ErrorCode code, String where, String message) implements Serializable {
    @Override
    public String toString() {
        return where + ": " + message + " [" + code.wire() + "]";
    }
}
