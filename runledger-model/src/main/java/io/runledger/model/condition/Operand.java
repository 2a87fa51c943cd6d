package io.runledger.model.condition;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.text.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operand of a comparison. */
final class Operand {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Operand() {}

    /**
     * Normalizes operands that are equal in JSON. An operand that is not a JSON scalar is kept; the check rejects it.
     */
    static @Nullable Object plain(@Nullable Object operand) {
        if (operand instanceof Enum<?> constant) {
            return constant.name();
        }
        if (operand instanceof CharSequence || operand instanceof Character) {
            return operand.toString();
        }
        return operand instanceof Number number && isExact(number)
                ? number(new BigDecimal(number.toString()))
                : operand;
    }

    private static Number number(BigDecimal number) {
        BigDecimal plain = number.stripTrailingZeros();
        return plain.scale() <= 0 && plain.scale() > -19 && plain.abs().compareTo(LARGEST) <= 0
                ? (Number) plain.longValueExact()
                : plain;
    }

    private static boolean isExact(Number number) {
        return number instanceof Byte
                || number instanceof Short
                || number instanceof Integer
                || number instanceof Long
                || number instanceof BigInteger
                || number instanceof BigDecimal
                || number instanceof Double real && Double.isFinite(real)
                || number instanceof Float small && Float.isFinite(small);
    }

    /** Describes why the operator does not accept the operand. */
    static Optional<String> problem(@Nullable Object operand, Comparison comparison) {
        boolean isText = operand instanceof String;
        boolean isNumber = operand instanceof Long || operand instanceof BigDecimal;
        if (comparison == Comparison.EXISTS) {
            return operand == null ? Optional.empty() : Optional.of("'exists' has no operand: remove it.");
        }
        if (comparison.isOrder() && !isText && !isNumber) {
            return Optional.of("'" + comparison.symbol() + "' needs a number or a text, not " + named(operand) + ".");
        }
        if (operand != null && !isText && !isNumber && !(operand instanceof Boolean)) {
            return Optional.of("The operand must be a text, a number, a boolean or null, not " + named(operand)
                    + ": compare one of its members.");
        }
        return isStorable(operand)
                ? Optional.empty()
                : Optional.of("The ledger cannot store the operand: use another value.");
    }

    private static String named(@Nullable Object operand) {
        return operand == null ? "null" : "a " + operand.getClass().getSimpleName();
    }

    private static boolean isStorable(@Nullable Object operand) {
        if (operand instanceof String text) {
            return Text.isStorable(text);
        }
        try {
            Json.of(String.valueOf(operand));
            return true;
        } catch (InvalidRequestException unstorable) {
            return false;
        }
    }

    static String shown(@Nullable Object operand) {
        return operand instanceof String text ? Text.quoted(text) : String.valueOf(operand);
    }
}
