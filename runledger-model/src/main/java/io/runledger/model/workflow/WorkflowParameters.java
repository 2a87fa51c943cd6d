package io.runledger.model.workflow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The validated parameter values of a workflow, including defaults. */
public final class WorkflowParameters {
    private final Map<WorkflowParameter<?>, Object> values;

    WorkflowParameters(Map<WorkflowParameter<?>, Object> values) {
        this.values = values;
    }

    /**
     * The given value, or the default.
     *
     * @throws InvalidRequestException with {@code workflow.parameter_unknown} if the workflow type does not declare the
     *     parameter
     */
    public <T> T get(WorkflowParameter<T> parameter) {
        Object value = values.get(parameter);
        if (value == null) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_UNKNOWN,
                    "The workflow type does not declare parameter " + Text.quoted(parameter.name()) + ": declare it.");
        }
        return parameter.type().cast(value);
    }

    /**
     * All values by name, in the order of declaration, as stored with the run: numbers and booleans unchanged, other
     * values as text.
     */
    public Map<String, Object> asMap() {
        Map<String, Object> texts = new LinkedHashMap<>();
        values.forEach((parameter, value) -> texts.put(
                parameter.name(),
                value instanceof Number || value instanceof Boolean
                        ? value
                        : value instanceof Enum<?> constant ? constant.name() : value.toString()));
        return Collections.unmodifiableMap(texts);
    }

    /** Contains only the names, because values must not be logged. */
    @Override
    public String toString() {
        return "parameters " + asMap().keySet();
    }
}
