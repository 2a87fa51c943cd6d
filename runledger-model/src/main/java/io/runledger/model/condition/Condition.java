package io.runledger.model.condition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When a step runs, beyond what it waits for: what became of the steps before it, and what stands in their outputs and in the
 * run's context. It is data, not code: stored with the step, shown in pictures, checked with the workflow. Where it is false, the
 * step is skipped. The database judges it, in the transaction in which the last step that it waits for ends; that of a step that
 * waits for nothing, or only for such as are skipped at once, is judged by the client that starts the run, by the same rules. Once,
 * unless {@code retryFailed} sets the step back.
 *
 * <p>{@code onlyIf(Condition.anyOf(ship.failed(), score.output("risk").greaterThan(70)))}
 */
public sealed interface Condition {
    /** Which of the conditions it is. */
    enum Kind {
        /** {@link Ended}. */
        ENDED,
        /** {@link Compared}. */
        COMPARED,
        /** {@link Combined}. */
        COMBINED
    }

    /** How conditions are combined. */
    enum Combination {
        /** True when every one is. */
        ALL,
        /** True when at least one is. */
        ANY,
        /** True when not one is. */
        NONE
    }

    /**
     * Which condition it is.
     *
     * @return a constant to switch on
     */
    Kind kind();

    /**
     * The condition as plain data, as it is stored.
     *
     * @return maps, lists, texts, numbers and booleans
     */
    default Map<String, Object> toMap() {
        return ConditionForm.write(this);
    }

    /**
     * A condition that was stored.
     *
     * @param map what {@link #toMap()} gave
     * @return the condition
     * @throws io.runledger.model.error.InvalidRequestException with {@code request.invalid} for anything else
     */
    static Condition fromMap(Map<String, ?> map) {
        return ConditionForm.read(map);
    }

    /**
     * True when every one is.
     *
     * @param conditions one or more
     * @return the condition
     */
    static Condition allOf(Condition... conditions) {
        return new Combined(Combination.ALL, List.of(conditions));
    }

    /**
     * True when at least one is.
     *
     * @param conditions one or more
     * @return the condition
     */
    static Condition anyOf(Condition... conditions) {
        return new Combined(Combination.ANY, List.of(conditions));
    }

    /**
     * True when not one is.
     *
     * @param conditions one or more
     * @return the condition
     */
    static Condition noneOf(Condition... conditions) {
        return new Combined(Combination.NONE, List.of(conditions));
    }

    /**
     * A value in the run's context, to be compared.
     *
     * @param path names of members from the outside in; the place in a list counts from 0
     * @return where to look
     */
    static ValuePath context(String... path) {
        return new ValuePath(null, List.of(path));
    }

    /**
     * True when a step ended that way.
     *
     * @param step key of a step that is waited for
     * @param ending how
     */
    record Ended(String step, StepEnding ending) implements Condition {
        /**
         * Checks that both are there.
         *
         * @param step see the record
         * @param ending see the record
         */
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
     * True when a value compares that way. With a value that is not there, or of another type, every comparison is false but
     * {@link Comparison#NOT_EQUALS}.
     *
     * @param value where to look
     * @param comparison how it is compared
     * @param operand with what: a text, a number, a boolean or null; unused by {@link Comparison#EXISTS}
     */
    record Compared(
            ValuePath value,
            Comparison comparison,
            @Nullable Object operand) implements Condition {
        /**
         * Gives equal operands one form: numbers without trailing zeros, enum constants by their name. Whether it fits is checked
         * with the workflow.
         *
         * @param value see the record
         * @param comparison see the record
         * @param operand see the record
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
     * Conditions taken together.
     *
     * @param combination how
     * @param conditions one or more
     */
    record Combined(Combination combination, List<Condition> conditions) implements Condition {
        /**
         * Copies the conditions.
         *
         * @param combination see the record
         * @param conditions see the record
         */
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
