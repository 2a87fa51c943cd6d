package io.runledger.model.error;

import java.util.List;

/**
 * A workflow or an append is not valid; nothing was written. Carries every problem at once; {@link #code()} is that of the first
 * one.
 */
public final class InvalidWorkflowException extends InvalidRequestException {
    private static final long serialVersionUID = 1L;

    /** All problems, in the order they were looked for. */
    @SuppressWarnings("serial") // an immutable list of records of strings and enums
    private final List<WorkflowProblem> problems;

    /**
     * Reports all problems.
     *
     * @param what the workflow, for example {@code workflow 'orders.fulfil'}
     * @param problems at least one
     */
    public InvalidWorkflowException(String what, List<WorkflowProblem> problems) {
        super(problems.get(0).code(), message(what, problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * Everything that is wrong.
     *
     * @return at least one problem
     */
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
        return text.append("\nThe code of the first stands for all:").toString();
    }
}
