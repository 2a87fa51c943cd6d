package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values a workflow is started with: valid, and complete with the defaults. */
public final class WorkflowParameters {
    private final Map<WorkflowParameter<?>, Object> values;

    WorkflowParameters(Map<WorkflowParameter<?>, Object> values) {
        this.values = values;
    }

    /**
     * A value.
     *
     * @param parameter one that the workflow type declares
     * @param <T> its type
     * @return what was given, or the default
     * @throws InvalidRequestException with {@code workflow.parameter_unknown} when the workflow type does not declare it
     */
    public <T> T get(WorkflowParameter<T> parameter) {
        Object value = values.get(parameter);
        if (value == null) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_UNKNOWN,
                    "The workflow type does not declare parameter " + Text.quoted(parameter.name())
                            + ": add it there.");
        }
        return parameter.type().cast(value);
    }

    /**
     * All values by name, as they are kept with the run: numbers and truth values as such, everything else as text.
     *
     * @return in the order declared
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

    /** Names only: values are not for logs. */
    @Override
    public String toString() {
        return "parameters " + asMap().keySet();
    }
}
