package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.error.WorkflowProblem;
import io.runledger.model.id.Text;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value that a {@link WorkflowType} is started with, by its name. Immutable; declare it once, as a constant, and share it between the
 * type and whoever starts it.
 *
 * @param <T> a text, a whole or decimal number, a truth value, an instant, a date, a duration, a UUID or an enum
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
     * A parameter that must be given.
     *
     * @param name unique among the parameters of a workflow type
     * @param type its class
     * @param <T> its type
     * @return the parameter
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} for a blank name or a type that is none of those listed
     */
    public static <T> WorkflowParameter<T> required(String name, Class<T> type) {
        return declared(name, type, null);
    }

    /**
     * A parameter that takes a default when it is not given.
     *
     * @param name unique among the parameters of a workflow type
     * @param type its class
     * @param defaultValue what it is otherwise
     * @param <T> its type
     * @return the parameter
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} for a blank name or a type that is none of those listed
     */
    public static <T> WorkflowParameter<T> optional(String name, Class<T> type, T defaultValue) {
        return declared(name, type, Objects.requireNonNull(defaultValue, "defaultValue"));
    }

    private static <T> WorkflowParameter<T> declared(String name, Class<T> type, @Nullable T defaultValue) {
        if (Text.isBlank(name)) {
            throw new InvalidRequestException(ErrorCode.PARAMETER_INVALID, "A parameter has no name: give it one.");
        }
        if (!ParameterText.isReadable(type)) {
            throw new InvalidRequestException(
                    ErrorCode.PARAMETER_INVALID,
                    "Parameter " + Text.quoted(name) + " is a " + type.getName()
                            + ": use a text, a number, a truth value, a time, a " + "UUID or an enum.");
        }
        return new WorkflowParameter<>(name, type, defaultValue, List.of());
    }

    /**
     * The same parameter with one rule more.
     *
     * @param rule what must hold, in words that go on with "must be", for example {@code "1 to 90"}
     * @param holds whether it holds
     * @return a copy
     * @throws InvalidRequestException with {@code workflow.parameter_invalid} when the default breaks the rule
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

    /**
     * A value for it, which the compiler checks; see {@link WorkflowType#request(Value...)}.
     *
     * @param value the value
     * @return the value with its parameter's name
     */
    public Value of(T value) {
        return new Value(name, Objects.requireNonNull(value, "value"));
    }

    /**
     * Its name.
     *
     * @return unique among the parameters of a workflow type
     */
    public String name() {
        return name;
    }

    /**
     * Its class.
     *
     * @return one of those listed
     */
    public Class<T> type() {
        return type;
    }

    /**
     * What it is when it is not given.
     *
     * @return null when it must be given
     */
    public @Nullable T defaultValue() {
        return defaultValue;
    }

    /**
     * Whether it must be given.
     *
     * @return true when it has no default
     */
    public boolean isRequired() {
        return defaultValue == null;
    }

    /**
     * What its values must be, for a form.
     *
     * @return its rules in words
     */
    public List<String> rules() {
        return rules.stream().map(Rule::words).toList();
    }

    /** The value that was given, or the default; adds what is wrong with it, and then is null. */
    @Nullable
    T read(@Nullable Object given, List<WorkflowProblem> problems) {
        if (given == null) {
            if (defaultValue == null) {
                problems.add(problem(ErrorCode.PARAMETER_MISSING, "it must be given."));
            }
            return defaultValue;
        }
        T value = ParameterText.read(type, given).orElse(null);
        if (value == null) {
            problems.add(problem(ErrorCode.PARAMETER_TYPE, "it must be " + ParameterText.words(type) + "."));
            return null;
        }
        rules.stream()
                .filter(rule -> !rule.holds().test(value))
                .forEach(rule ->
                        problems.add(problem(ErrorCode.PARAMETER_NOT_ALLOWED, "it must be " + rule.words() + ".")));
        return value;
    }

    private WorkflowProblem problem(ErrorCode code, String message) {
        return new WorkflowProblem(code, "parameter " + Text.quoted(name), message);
    }

    @Override
    public String toString() {
        return name + ": " + ParameterText.words(type) + (isRequired() ? "" : ", optional");
    }

    /**
     * A value for a parameter.
     *
     * @param name the parameter's name
     * @param value what it is
     */
    public record Value(String name, Object value) {
        /** Names the parameter only: values are not for logs. */
        @Override
        public String toString() {
            return "value of " + name;
        }
    }

    private record Rule<T>(String words, Predicate<? super T> holds) {}
}
