package io.runledger.model.error;

import java.io.Serializable;

/**
 * A problem of a workflow request.
 *
 * @param where invalid part of the request, for example {@code steps[2] 'ship'}
 * @param message description of the problem and of the correction
 * @param declaredAt source line of the step, if the problem belongs to a step
 */
public record WorkflowProblem(ErrorCode code, String where, String message, SourceLine declaredAt)
        implements Serializable {
    /** A problem without a source line. */
    public WorkflowProblem(ErrorCode code, String where, String message) {
        this(code, where, message, SourceLine.UNKNOWN);
    }

    /** The place, the source line and the message, without the code. */
    String sentence() {
        return where + declaredAt.inBrackets() + ": " + message;
    }

    @Override
    public String toString() {
        return sentence() + " [" + code.wire() + "]";
    }
}
