package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.id.Identifier;
import io.runledger.model.id.Text;
import io.runledger.model.json.PayloadCodec;
import io.runledger.model.state.WorkflowRun;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A kind of workflow with named, typed parameters: values in, a request out, which is enqueued or scheduled like any other. Immutable.
 */
public final class WorkflowType {
    /** The member of a run's metadata that holds the values. */
    static final String KEPT_AS = "parameters";

    private final String name;
    private final List<WorkflowParameter<?>> parameters;
    private final BiConsumer<WorkflowParameters, WorkflowRequest.Builder> steps;

    private WorkflowType(
            String name,
            List<WorkflowParameter<?>> parameters,
            BiConsumer<WorkflowParameters, WorkflowRequest.Builder> steps) {
        this.name = name;
        this.parameters = parameters;
        this.steps = steps;
    }

    /**
     * Declares a workflow type.
     *
     * @param name name of the workflow
     * @param parameters what it is started with
     * @param steps declares the steps for given values
     * @return the type
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} when two parameters have the same name, or with the code for
     *     a bad name of the workflow
     */
    public static WorkflowType of(
            String name,
            List<? extends WorkflowParameter<?>> parameters,
            BiConsumer<WorkflowParameters, WorkflowRequest.Builder> steps) {
        Identifier.WORKFLOW_TYPE.require(name);
        Set<String> names = new HashSet<>();
        for (WorkflowParameter<?> parameter : parameters) {
            if (!names.add(parameter.name())) {
                throw new InvalidRequestException(
                        ErrorCode.PARAMETER_INVALID,
                        "Parameter " + Text.quoted(parameter.name())
                                + " is declared twice: give each a name of its own.");
            }
        }
        return new WorkflowType(name, List.copyOf(parameters), Objects.requireNonNull(steps, "steps"));
    }

    /**
     * Its name.
     *
     * @return the workflow type of its runs
     */
    public String name() {
        return name;
    }

    /**
     * What it is started with, for example to make a form of.
     *
     * @return in the order declared
     */
    public List<WorkflowParameter<?>> parameters() {
        return parameters;
    }

    /**
     * Everything that is wrong with some values.
     *
     * @param values by name, each as what it is or as text
     * @return empty when a workflow can be started with them
     */
    public List<WorkflowProblem> problems(Map<String, ?> values) {
        List<WorkflowProblem> problems = new ArrayList<>();
        read(values, problems);
        return problems;
    }

    /**
     * The workflow for some values, which are kept in its metadata as member {@code parameters}, beside what the steps set there; see {@link
     * #parametersOf}.
     *
     * @param values by name, each as what it is or as text, for example from a form; what is missing or null takes its default
     * @return a request to enqueue, or to schedule
     * @throws InvalidWorkflowException with every problem at once: {@code workflow.parameter_missing}, {@code
     *     workflow.parameter_unknown}, {@code workflow.parameter_type_mismatch}, {@code workflow.parameter_not_allowed}, or those of its
     *     steps
     */
    public WorkflowRequest request(Map<String, ?> values) {
        List<WorkflowProblem> problems = new ArrayList<>();
        WorkflowParameters read = read(values, problems);
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("workflow " + Text.quoted(name), problems);
        }
        WorkflowRequest.Builder builder = WorkflowRequest.builder(name);
        steps.accept(read, builder);
        return builder.parameters(read).build();
    }

    /**
     * The workflow for some values; as {@link #request(Map)}.
     *
     * @param values made with {@link WorkflowParameter#of}; of two for the same parameter the last counts
     * @return a request to enqueue, or to schedule
     * @throws InvalidWorkflowException with every problem at once
     */
    public WorkflowRequest request(WorkflowParameter.Value... values) {
        Map<String, Object> byName = new LinkedHashMap<>();
        for (WorkflowParameter.Value value : values) {
            byName.put(value.name(), value.value());
        }
        return request(byName);
    }

    /**
     * The values that a run of this type was started with. What the type does not declare any more is left out, what it declares since
     * takes its default, and rules are not asked again.
     *
     * @param run a run of this type
     * @param codec what its metadata was encoded with, for example the client's
     * @return the values
     * @throws InvalidRequestException with {@code request.invalid} when the run is of another type
     * @throws InvalidWorkflowException with {@code workflow.parameter_missing} or {@code workflow.parameter_type_mismatch} when the type
     *     has changed since so that the values do not fit it
     */
    public WorkflowParameters parametersOf(WorkflowRun run, PayloadCodec codec) {
        if (!run.workflowType().equals(name)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The run is a " + Text.quoted(run.workflowType()) + " and no " + Text.quoted(name)
                            + ": ask its own type.");
        }
        Map<?, ?> kept = codec.decode(run.metadata(), Object.class) instanceof Map<?, ?> metadata
                        && metadata.get(KEPT_AS) instanceof Map<?, ?> values
                ? values
                : Map.of();
        Map<String, Object> declared = new LinkedHashMap<>();
        parameters.forEach(parameter -> declared.put(parameter.name(), kept.get(parameter.name())));
        List<WorkflowProblem> problems = new ArrayList<>();
        WorkflowParameters read = read(declared, problems);
        problems.removeIf(problem -> problem.code() == ErrorCode.PARAMETER_NOT_ALLOWED);
        if (!problems.isEmpty()) {
            throw new InvalidWorkflowException("the run of workflow " + Text.quoted(name), problems);
        }
        return read;
    }

    private WorkflowParameters read(Map<String, ?> values, List<WorkflowProblem> problems) {
        List<String> names = parameters.stream().map(WorkflowParameter::name).toList();
        values.keySet().stream()
                .filter(given -> !names.contains(given))
                .sorted()
                .forEach(given -> problems.add(new WorkflowProblem(
                        ErrorCode.PARAMETER_UNKNOWN,
                        "parameter " + Text.quoted(given),
                        "the workflow type does not declare it: "
                                + NearestKey.to(given, names)
                                        .map(near -> "did you mean " + Text.quoted(near) + "?")
                                        .orElse("leave it out."))));
        Map<WorkflowParameter<?>, Object> read = new LinkedHashMap<>();
        for (WorkflowParameter<?> parameter : parameters) {
            Object value = parameter.read(values.get(parameter.name()), problems);
            if (value != null) {
                read.put(parameter, value);
            }
        }
        return new WorkflowParameters(read);
    }

    @Override
    public String toString() {
        return name + " " + parameters;
    }
}
