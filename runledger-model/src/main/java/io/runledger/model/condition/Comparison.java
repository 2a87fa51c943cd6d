package io.runledger.model.condition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a condition compares a value. */
public enum Comparison {
    /** The same value; numbers by what they are worth. */
    EQUALS("="),
    /** Another value, or none. */
    NOT_EQUALS("!="),
    /** A larger number, or a text that comes later by its code points. */
    GREATER_THAN(">"),
    /** The same or greater. */
    AT_LEAST(">="),
    /** A smaller number, or a text that comes earlier by its code points. */
    LESS_THAN("<"),
    /** The same or less. */
    AT_MOST("<="),
    /** A list with that element, a text with that part, or an object with that member. */
    CONTAINS("contains"),
    /** Any value, also the JSON value {@code null}. */
    EXISTS("exists");

    private final String symbol;

    Comparison(String symbol) {
        this.symbol = symbol;
    }

    /**
     * How it is written in pictures and messages.
     *
     * @return a sign or a word
     */
    public String symbol() {
        return symbol;
    }

    /**
     * Why no value can be compared with the operand this way.
     *
     * @param operand what a value would be compared with
     * @return a sentence, or empty when it fits
     */
    public Optional<String> problemWith(@Nullable Object operand) {
        return Operand.problem(Operand.plain(operand), this);
    }

    /** Whether it asks which of two values comes first. */
    boolean isOrder() {
        return this == GREATER_THAN || this == AT_LEAST || this == LESS_THAN || this == AT_MOST;
    }
}
