package io.runledger.model.workflow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.InvalidWorkflowException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.json.PayloadCodec;
import io.runledger.model.text.Text;
import io.runledger.model.value.Identifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A workflow type with named, typed parameters. It creates a request for given values, which can be enqueued or
 * scheduled. Immutable.
 */
public final class WorkflowType {
    /** The metadata member that contains the values. */
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
     * @param steps declares the steps for the given values
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} if two parameters have the same name; or
     *     with the code for an invalid workflow name
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
                                + " is declared twice: use a unique name for each parameter.");
            }
        }
        return new WorkflowType(name, List.copyOf(parameters), Objects.requireNonNull(steps, "steps"));
    }

    public String name() {
        return name;
    }

    /** The parameters, in the order of declaration. */
    public List<WorkflowParameter<?>> parameters() {
        return parameters;
    }

    /**
     * All problems of the values; empty if the values are valid.
     *
     * @param values values by name, each as an instance of its type or as text
     */
    public List<WorkflowProblem> problems(Map<String, ?> values) {
        List<WorkflowProblem> problems = new ArrayList<>();
        read(values, problems);
        return problems;
    }

    /**
     * Creates a request for the values, which are stored in its metadata as member {@code parameters}; see
     * {@link #parametersOf}.
     *
     * @param values values by name, each as an instance of its type or as text; a missing or null value takes its
     *     default
     * @throws InvalidWorkflowException with all problems: {@code workflow.parameter_missing},
     *     {@code workflow.parameter_unknown}, {@code workflow.parameter_type_mismatch},
     *     {@code workflow.parameter_not_allowed}, or the codes for its steps
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
     * Like {@link #request(Map)}, with typed values.
     *
     * @param values created with {@link WorkflowParameter#of}; if a parameter occurs twice, the last value applies
     * @throws InvalidWorkflowException with all problems
     */
    public WorkflowRequest request(WorkflowParameter.Value... values) {
        Map<String, Object> byName = new LinkedHashMap<>();
        for (WorkflowParameter.Value value : values) {
            byName.put(value.name(), value.value());
        }
        return request(byName);
    }

    /**
     * The values with which a run of this type was started. Parameters that the type no longer declares are omitted,
     * new parameters take their default, and rules are not checked.
     *
     * @param codec codec of the metadata, for example the codec of the client
     * @throws InvalidRequestException with {@code request.invalid} if the run has another type
     * @throws InvalidWorkflowException with {@code workflow.parameter_missing} or
     *     {@code workflow.parameter_type_mismatch} if the type has changed and the values are not valid for it
     */
    public WorkflowParameters parametersOf(WorkflowRun run, PayloadCodec codec) {
        if (!run.workflowType().equals(name)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The run has the type " + Text.quoted(run.workflowType()) + ", not " + Text.quoted(name)
                            + ": use the workflow type of the run.");
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
                                        .orElse("remove it."))));
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
