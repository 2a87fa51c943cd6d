package io.runledger.model.condition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The comparison operator of a condition. */
public enum Comparison {
    /** The values are equal; numbers are compared by value. */
    EQUALS("="),
    /** The values differ, or there is no value. */
    NOT_EQUALS("!="),
    /** The value is a larger number, or a text that is greater by code points. */
    GREATER_THAN(">"),
    /** The value is equal or greater. */
    AT_LEAST(">="),
    /** The value is a smaller number, or a text that is less by code points. */
    LESS_THAN("<"),
    /** The value is equal or less. */
    AT_MOST("<="),
    /** The value is a list with that element, a text with that substring, or an object with that member. */
    CONTAINS("contains"),
    /** There is a value, which may be the JSON value {@code null}. */
    EXISTS("exists");

    private final String symbol;

    Comparison(String symbol) {
        this.symbol = symbol;
    }

    /** The operator in diagrams and messages. */
    public String symbol() {
        return symbol;
    }

    /** Describes why the operator does not accept the operand, or returns empty if it does. */
    public Optional<String> problemWith(@Nullable Object operand) {
        return Operand.problem(Operand.plain(operand), this);
    }

    /** Whether the operator compares the order of two values. */
    boolean isOrder() {
        return this == GREATER_THAN || this == AT_LEAST || this == LESS_THAN || this == AT_MOST;
    }
}
