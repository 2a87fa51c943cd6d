package io.runledger.model.condition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that a condition reads, in the output of a step or in the run's context.
 *
 * @param step key of the step whose output is read, or null for the run's context
 * @param path member names from the outermost to the innermost; a list index counts from 0
 */
public record ValuePath(@Nullable String step, List<String> path) {
    public ValuePath {
        path = List.copyOf(path);
    }

    /**
     * True if the values are equal. Numbers are compared by value: 1 equals 1.0.
     *
     * @param operand a text, a number, a boolean, an enum constant (compared by name) or null
     */
    public Condition equalTo(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.EQUALS, operand);
    }

    /**
     * True if the values differ or there is no value.
     *
     * @param operand a text, a number, a boolean, an enum constant (compared by name) or null
     */
    public Condition notEqualTo(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.NOT_EQUALS, operand);
    }

    /**
     * True if the value is a larger number, or a text that is greater by code points.
     *
     * @param operand a number or a text
     */
    public Condition greaterThan(Object operand) {
        return new Condition.Compared(this, Comparison.GREATER_THAN, operand);
    }

    /**
     * True if the value is equal or greater.
     *
     * @param operand a number or a text
     */
    public Condition atLeast(Object operand) {
        return new Condition.Compared(this, Comparison.AT_LEAST, operand);
    }

    /**
     * True if the value is a smaller number, or a text that is less by code points.
     *
     * @param operand a number or a text
     */
    public Condition lessThan(Object operand) {
        return new Condition.Compared(this, Comparison.LESS_THAN, operand);
    }

    /**
     * True if the value is equal or less.
     *
     * @param operand a number or a text
     */
    public Condition atMost(Object operand) {
        return new Condition.Compared(this, Comparison.AT_MOST, operand);
    }

    /**
     * True if the value is a list with that element, a text with that substring, or an object with that member.
     *
     * @param operand a text, a number, a boolean, an enum constant (compared by name) or null
     */
    public Condition contains(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.CONTAINS, operand);
    }

    /** True if there is a value, which may be the JSON value {@code null}. */
    public Condition exists() {
        return new Condition.Compared(this, Comparison.EXISTS, null);
    }

    /** For example {@code score.output.risk} or {@code context.country}. */
    @Override
    public String toString() {
        String root = step == null ? "context" : step + ".output";
        return path.isEmpty() ? root : root + "." + String.join(".", path);
    }
}
