package io.runledger.model.error;

import java.util.List;

/**
 * A workflow or an append is not valid. Nothing was written. The exception contains all problems; {@link #code()} is
 * the code of the first.
 */
public final class InvalidWorkflowException extends InvalidRequestException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // an immutable list of records of strings and enums
    private final List<WorkflowProblem> problems;

    /**
     * @param what name for the message, for example {@code workflow 'orders.fulfil'}
     * @param problems at least one
     */
    public InvalidWorkflowException(String what, List<WorkflowProblem> problems) {
        super(problems.get(0).code(), message(what, problems));
        this.problems = List.copyOf(problems);
    }

    /** All problems; at least one. */
    public List<WorkflowProblem> problems() {
        return problems;
    }

    private static String message(String what, List<WorkflowProblem> problems) {
        StringBuilder text = new StringBuilder("The " + what + " is not valid");
        if (problems.size() == 1) {
            return text.append(": ").append(problems.get(0).sentence()).toString();
        }
        text.append(", ").append(problems.size()).append(" problems:");
        problems.forEach(problem -> text.append("\n  - ").append(problem));
        return text.append("\nThe code of the first problem is:").toString();
    }
}
