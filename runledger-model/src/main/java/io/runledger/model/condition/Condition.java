package io.runledger.model.condition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a step, on how its prerequisites ended, on their outputs and on the run's context. If the condition is
 * false, the step is skipped. A condition is data: it is stored with the step, shown in diagrams and validated with the
 * workflow.
 *
 * <p>The database evaluates the condition in the transaction in which the last prerequisite ends. If the step has no
 * prerequisites, or only prerequisites that are skipped at the start, the client that starts the run evaluates it by
 * the same rules. A condition is evaluated once, unless {@code retryFailed} resets the step.
 *
 * <p>Example: {@code onlyIf(Condition.anyOf(ship.failed(), score.output("risk").greaterThan(70)))}
 */
public sealed interface Condition {
    enum Kind {
        /** {@link Ended}. */
        ENDED,
        /** {@link Compared}. */
        COMPARED,
        /** {@link Combined}. */
        COMBINED
    }

    enum Combination {
        /** True if all conditions are true. */
        ALL,
        /** True if at least one condition is true. */
        ANY,
        /** True if no condition is true. */
        NONE
    }

    Kind kind();

    /** Converts the condition to maps, lists, texts, numbers and booleans, as stored. */
    default Map<String, Object> toMap() {
        return ConditionForm.write(this);
    }

    /**
     * Reads the result of {@link #toMap()}.
     *
     * @throws io.runledger.model.error.InvalidRequestException with {@code request.invalid} if the map is not a
     *     condition
     */
    static Condition fromMap(Map<String, ?> map) {
        return ConditionForm.read(map);
    }

    /** True if all conditions are true. */
    static Condition allOf(Condition... conditions) {
        return new Combined(Combination.ALL, List.of(conditions));
    }

    /** True if at least one condition is true. */
    static Condition anyOf(Condition... conditions) {
        return new Combined(Combination.ANY, List.of(conditions));
    }

    /** True if no condition is true. */
    static Condition noneOf(Condition... conditions) {
        return new Combined(Combination.NONE, List.of(conditions));
    }

    /**
     * A value in the run's context.
     *
     * @param path member names from the outermost to the innermost; a list index counts from 0
     */
    static ValuePath context(String... path) {
        return new ValuePath(null, List.of(path));
    }

    /**
     * True if a step ended in this way.
     *
     * @param step key of a prerequisite
     */
    record Ended(String step, StepEnding ending) implements Condition {
        public Ended {
            Objects.requireNonNull(step, "step");
            Objects.requireNonNull(ending, "ending");
        }

        @Override
        public Kind kind() {
            return Kind.ENDED;
        }

        @Override
        public String toString() {
            return step + " " + ending.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * True if the comparison of a value is true. If the value is missing or has another type, every comparison except
     * {@link Comparison#NOT_EQUALS} is false.
     *
     * @param operand a text, a number, a boolean or null; not used by {@link Comparison#EXISTS}
     */
    record Compared(
            ValuePath value,
            Comparison comparison,
            @Nullable Object operand) implements Condition {
        /**
         * Normalizes the operand: numbers without trailing zeros, enum constants by name. The workflow check validates
         * it.
         */
        public Compared {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(comparison, "comparison");
            operand = Operand.plain(operand);
        }

        @Override
        public Kind kind() {
            return Kind.COMPARED;
        }

        @Override
        public String toString() {
            String text = value + " " + comparison.symbol();
            return comparison == Comparison.EXISTS ? text : text + " " + Operand.shown(operand);
        }
    }

    /**
     * A combination of conditions.
     *
     * @param conditions one or more
     */
    record Combined(Combination combination, List<Condition> conditions) implements Condition {
        public Combined {
            Objects.requireNonNull(combination, "combination");
            conditions = List.copyOf(conditions);
        }

        @Override
        public Kind kind() {
            return Kind.COMBINED;
        }

        @Override
        public String toString() {
            return combination.name().toLowerCase(Locale.ROOT)
                    + conditions.stream().map(Condition::toString).collect(Collectors.joining(", ", " of (", ")"));
        }
    }
}
