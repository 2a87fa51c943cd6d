package io.runledger.model.workflow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.text.Text;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A named parameter of a {@link WorkflowType}. Immutable; declare it as a constant and share it between the type and
 * its callers.
 *
 * @param <T> a text, an integer or decimal number, a boolean, an instant, a date, a duration, a UUID or an enum
 */
public final class WorkflowParameter<T> {
    private final String name;
    private final Class<T> type;
    private final @Nullable T defaultValue;
    private final List<Rule<T>> rules;

    private WorkflowParameter(String name, Class<T> type, @Nullable T defaultValue, List<Rule<T>> rules) {
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.rules = rules;
    }

    /**
     * Declares a required parameter.
     *
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} if the name is blank or the type is not
     *     supported
     */
    public static <T> WorkflowParameter<T> required(String name, Class<T> type) {
        return declared(name, type, null);
    }

    /**
     * Declares a parameter with a default.
     *
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} if the name is blank or the type is not
     *     supported
     */
    public static <T> WorkflowParameter<T> optional(String name, Class<T> type, T defaultValue) {
        return declared(name, type, Objects.requireNonNull(defaultValue, "defaultValue"));
    }

    private static <T> WorkflowParameter<T> declared(String name, Class<T> type, @Nullable T defaultValue) {
        if (Text.isBlank(name)) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_INVALID, "A parameter has a blank name: use visible text.");
        }
        if (!ParameterText.isReadable(type)) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_INVALID,
                    "Parameter " + Text.quoted(name) + " has the unsupported type " + type.getName()
                            + ": use a text, a number, a boolean, a time, a UUID or an enum.");
        }
        return new WorkflowParameter<>(name, type, defaultValue, List.of());
    }

    /**
     * Returns a copy with an additional rule.
     *
     * @param rule description of the rule that completes "must be", for example {@code "1 to 90"}
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} if the default violates the rule
     */
    public WorkflowParameter<T> mustBe(String rule, Predicate<? super T> holds) {
        Objects.requireNonNull(rule, "rule");
        if (defaultValue != null && !holds.test(defaultValue)) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_INVALID,
                    "The default of parameter " + Text.quoted(name) + " must be " + rule + ".");
        }
        List<Rule<T>> all = Stream.concat(rules.stream(), Stream.of(new Rule<T>(rule, holds)))
                .toList();
        return new WorkflowParameter<>(name, type, defaultValue, all);
    }

    /** A typed value for {@link WorkflowType#request(Value...)}. */
    public Value of(T value) {
        return new Value(name, Objects.requireNonNull(value, "value"));
    }

    public String name() {
        return name;
    }

    public Class<T> type() {
        return type;
    }

    /** The default; null if the parameter is required. */
    public @Nullable T defaultValue() {
        return defaultValue;
    }

    public boolean isRequired() {
        return defaultValue == null;
    }

    /** The descriptions of the rules, for example for a form. */
    public List<String> rules() {
        return rules.stream().map(Rule::description).toList();
    }

    /** Returns the given value or the default. If there is a problem, adds it to the list and returns null. */
    @Nullable
    T read(@Nullable Object given, List<WorkflowProblem> problems) {
        if (given == null) {
            if (defaultValue == null) {
                problems.add(problem(ErrorCode.PARAMETER_MISSING, "the parameter is required: pass a value."));
            }
            return defaultValue;
        }
        T value = ParameterText.read(type, given).orElse(null);
        if (value == null) {
            problems.add(problem(ErrorCode.PARAMETER_TYPE, "it must be " + ParameterText.describe(type) + "."));
            return null;
        }
        rules.stream()
                .filter(rule -> !rule.holds().test(value))
                .forEach(rule -> problems.add(
                        problem(ErrorCode.PARAMETER_NOT_ALLOWED, "it must be " + rule.description() + ".")));
        return value;
    }

    private WorkflowProblem problem(ErrorCode code, String message) {
        return new WorkflowProblem(code, "parameter " + Text.quoted(name), message);
    }

    @Override
    public String toString() {
        return name + ": " + ParameterText.describe(type) + (isRequired() ? "" : ", optional");
    }

    /** A value for a parameter. */
    public record Value(String name, Object value) {
        /** Contains only the name, because values must not be logged. */
        @Override
        public String toString() {
            return "value of " + name;
        }
    }

    private record Rule<T>(String description, Predicate<? super T> holds) {}
}
