package io.runledger.model.error;

import java.io.Serializable;

/**
 * One thing that is wrong with a workflow.
 *
 * @param code what kind of mistake it is
 * @param where the part of the request that is wrong, for example {@code steps[2] 'ship'}
 * @param message what is wrong and how to mend it
 * @param declaredAt the line that declared the step, if the problem is one of a step's
 */
public record WorkflowProblem(ErrorCode code, String where, String message, SourceLine declaredAt)
        implements Serializable {
    /**
     * A problem that no line of source can be blamed for.
     *
     * @param code see the record
     * @param where see the record
     * @param message see the record
     */
    public WorkflowProblem(ErrorCode code, String where, String message) {
        this(code, where, message, SourceLine.UNKNOWN);
    }

    /** Place, line and message, without the code. */
    String sentence() {
        return where + declaredAt.inBrackets() + ": " + message;
    }

    @Override
    public String toString() {
        return sentence() + " [" + code.wire() + "]";
    }
}
