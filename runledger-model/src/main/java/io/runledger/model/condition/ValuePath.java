package io.runledger.model.condition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a condition looks: into the output of a step, or into the run's context.
 *
 * @param step key of the step whose output is meant, or null for the run's context
 * @param path names of members from the outside in; the place in a list counts from 0
 */
public record ValuePath(@Nullable String step, List<String> path) {
    /**
     * Copies the path; what it says is checked with the workflow.
     *
     * @param step see the record
     * @param path see the record
     */
    public ValuePath {
        path = List.copyOf(path);
    }

    /**
     * True when the value is the same. Numbers count by what they are worth: 1 is 1.0.
     *
     * @param operand a text, a number, a boolean, an enum constant (its name) or null
     * @return the condition
     */
    public Condition equalTo(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.EQUALS, operand);
    }

    /**
     * True when the value is another one, or not there.
     *
     * @param operand a text, a number, a boolean, an enum constant (its name) or null
     * @return the condition
     */
    public Condition notEqualTo(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.NOT_EQUALS, operand);
    }

    /**
     * True when the value is a larger number, or a text that comes later by its code points.
     *
     * @param operand a number or a text
     * @return the condition
     */
    public Condition greaterThan(Object operand) {
        return new Condition.Compared(this, Comparison.GREATER_THAN, operand);
    }

    /**
     * True when the value is the same or greater.
     *
     * @param operand a number or a text
     * @return the condition
     */
    public Condition atLeast(Object operand) {
        return new Condition.Compared(this, Comparison.AT_LEAST, operand);
    }

    /**
     * True when the value is a smaller number, or a text that comes earlier by its code points.
     *
     * @param operand a number or a text
     * @return the condition
     */
    public Condition lessThan(Object operand) {
        return new Condition.Compared(this, Comparison.LESS_THAN, operand);
    }

    /**
     * True when the value is the same or less.
     *
     * @param operand a number or a text
     * @return the condition
     */
    public Condition atMost(Object operand) {
        return new Condition.Compared(this, Comparison.AT_MOST, operand);
    }

    /**
     * True when the value is a list with that element, a text with that part, or an object with that member.
     *
     * @param operand a text, a number, a boolean, an enum constant (its name) or null
     * @return the condition
     */
    public Condition contains(@Nullable Object operand) {
        return new Condition.Compared(this, Comparison.CONTAINS, operand);
    }

    /**
     * True when there is a value, also the JSON value {@code null}.
     *
     * @return the condition
     */
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
