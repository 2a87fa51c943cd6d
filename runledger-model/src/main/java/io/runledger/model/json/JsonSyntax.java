package io.runledger.model.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Optional;

/**
 * Validates JSON (RFC 8259) within the limits of {@code jsonb}: no NUL, no unpaired surrogates, numbers that fit
 * {@code numeric}. It does not build values; the codec does.
 */
final class JsonSyntax {
    static final int MAX_DIGITS = 10_000;
    static final int MAX_EXPONENT = 9_999;
    static final int MAX_SCALE = 16_383;

    /** Texts of this length and more are worth a look whether they are simple. */
    private static final int LONG = 256;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPACES = 0x2020202020202020L;
    private static final long SIGNS = 0x8080808080808080L;

    private final String text;

    /** Whether the text has printable ASCII characters only, so that a string ends at the next quote or backslash. */
    private final boolean isSimple;

    /** The first backslash at or after {@link #at}, in a simple text; the text's length if there is none. */
    private int backslash = -1;

    /** For each open object or array, from the outermost, whether it is an object. */
    private final BitSet open = new BitSet();

    private int at;

    private JsonSyntax(String text) {
        this.text = text;
        this.isSimple = text.length() >= LONG && isPrintableAscii(text);
    }

    /** Describes the first error with its position, counted from 0; empty if the JSON can be stored. */
    static Optional<String> firstOffence(String text) {
        JsonSyntax scan = new JsonSyntax(text);
        try {
            scan.space();
            scan.value();
            scan.space();
            if (scan.at < text.length()) {
                throw scan.offence("nothing may follow the value");
            }
            return Optional.empty();
        } catch (Offence offence) {
            return Optional.of(offence.getMessage());
        }
    }

    /** Whether the nesting is deeper than {@code most}. Few values have as many objects and arrays, so few are read. */
    static boolean isDeeperThan(int most, String json) {
        return json.length() > 2 * most && hasMoreThan(most, json) && depth(json) > most;
    }

    private static boolean hasMoreThan(int most, String json) {
        int count = 0;
        for (char opening : new char[] {'{', '['}) {
            int at = json.indexOf(opening);
            while (at >= 0 && count <= most) {
                count++;
                at = json.indexOf(opening, at + 1);
            }
        }
        return count > most;
    }

    /** The nesting depth of objects and arrays; 0 for a scalar. */
    static int depth(String json) {
        int depth = 0;
        int deepest = 0;
        boolean isInString = false;
        for (int at = 0; at < json.length(); at++) {
            char unit = json.charAt(at);
            if (isInString) {
                if (unit == '\\') {
                    at++;
                } else if (unit == '"') {
                    isInString = false;
                }
            } else if (unit == '"') {
                isInString = true;
            } else if (unit == '{' || unit == '[') {
                deepest = Math.max(deepest, ++depth);
            } else if (unit == '}' || unit == ']') {
                depth--;
            }
        }
        return deepest;
    }

    /**
     * A value with all that it contains. The objects and arrays that are open are kept in {@link #open}, and not on the
     * stack of the thread, which deep nesting would overflow.
     */
    private void value() {
        int depth = 0;
        do {
            depth = begun(depth);
            depth = ended(depth);
        } while (depth > 0);
    }

    /** Reads up to the end of the next value that contains no other. */
    private int begun(int depth) {
        int inner = depth;
        while (peek() == '{' || peek() == '[') {
            boolean isObject = peek() == '{';
            at++;
            space();
            if (taken(isObject ? '}' : ']')) {
                return inner;
            }
            open.set(inner++, isObject);
            if (isObject) {
                name();
            }
        }
        switch (peek()) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
        return inner;
    }

    /** Reads from the end of a value to the beginning of the next one, or to the end of the outermost. */
    private int ended(int depth) {
        for (int outer = depth; outer > 0; outer--) {
            boolean isObject = open.get(outer - 1);
            space();
            if (taken(',')) {
                space();
                if (isObject) {
                    name();
                }
                return outer;
            }
            expect(isObject ? '}' : ']');
        }
        return 0;
    }

    private void name() {
        if (peek() != '"') {
            throw offence("a member's name in double quotes is expected");
        }
        string();
        space();
        expect(':');
        space();
    }

    private void string() {
        at++;
        plain();
        while (!taken('"')) {
            int start = at;
            boolean escape = peek() == '\\';
            char unit = unit(escape);
            // UTF-8 rejects a raw unpaired surrogate and jsonb an escaped one, so both halves have the same form.
            boolean whole = Character.isHighSurrogate(unit)
                    ? at < text.length() && (peek() == '\\') == escape && Character.isLowSurrogate(unit(escape))
                    : !Character.isLowSurrogate(unit);
            if (!whole) {
                throw offence("an unpaired surrogate cannot be stored", start);
            }
            plain();
        }
    }

    /** Skips characters that need no check. In a long document these are nearly all characters. */
    private void plain() {
        int next = at;
        if (isSimple) {
            next = Math.min(positionOf('"'), nextBackslash());
        } else {
            int length = text.length();
            while (next < length && isPlain(text.charAt(next))) {
                next++;
            }
        }
        at = next;
    }

    private int nextBackslash() {
        if (backslash < at) {
            backslash = positionOf('\\');
        }
        return backslash;
    }

    private int positionOf(char unit) {
        int position = text.indexOf(unit, at);
        return position < 0 ? text.length() : position;
    }

    /** Looks at eight characters at a time, which is several times faster than a loop over characters. */
    private static boolean isPrintableAscii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        int last = bytes.length - Long.BYTES;
        long signs = 0;
        for (int at = 0; at < last; at += Long.BYTES) {
            signs |= (long) EIGHT_BYTES.get(bytes, at) - SPACES;
        }
        // A byte below a space gets a sign, and so may the next one by its borrow.
        signs |= (long) EIGHT_BYTES.get(bytes, last) - SPACES;
        // Other characters than ASCII have been replaced.
        return (signs & SIGNS) == 0 && new String(bytes, StandardCharsets.US_ASCII).equals(text);
    }

    private static boolean isPlain(char unit) {
        return unit >= 0x20 && unit != '"' && unit != '\\' && !Character.isSurrogate(unit);
    }

    private char unit(boolean escape) {
        if (escape) {
            return escaped();
        }
        char unit = peek();
        if (unit < 0x20) {
            throw offence("a control character must be escaped inside a string");
        }
        at++;
        return unit;
    }

    private char escaped() {
        int start = at++;
        char kind = peek();
        if ("\"\\/bfnrtu".indexOf(kind) < 0) {
            throw offence("the escape sequence is unknown");
        }
        at++;
        if (kind != 'u') {
            return ' ';
        }
        int unit = 0;
        for (int digit = 0; digit < 4; digit++) {
            int value = peek() > 'f' ? -1 : Character.digit(peek(), 16);
            if (value < 0) {
                throw offence("\\u needs four hexadecimal digits");
            }
            unit = unit * 16 + value;
            at++;
        }
        if (unit == 0) {
            throw offence("PostgreSQL cannot store \\u0000", start);
        }
        return (char) unit;
    }

    private void number() {
        int start = at;
        taken('-');
        int digits = taken('0') ? 1 : digits("a value is expected");
        int scale = taken('.') ? digits("a digit is expected after the decimal point") : 0;
        if (digits + scale > MAX_DIGITS) {
            throw offence("a number has more than " + MAX_DIGITS + " digits", start);
        }
        if (taken('e') || taken('E')) {
            scale -= exponent(start);
        }
        if (scale > MAX_SCALE) {
            throw offence("a number has more than " + MAX_SCALE + " digits after the decimal point", start);
        }
    }

    private int exponent(int start) {
        boolean negative = taken('-');
        if (!negative) {
            taken('+');
        }
        int from = at;
        digits("a digit is expected in the exponent");
        while (from < at - 1 && text.charAt(from) == '0') {
            from++;
        }
        if (at - from > 4) {
            throw offence("a number has an exponent beyond " + MAX_EXPONENT, start);
        }
        int exponent = Integer.parseInt(text, from, at, 10);
        return negative ? -exponent : exponent;
    }

    private int digits(String otherwise) {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw offence(otherwise);
        }
        return at - start;
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw offence("a value is expected");
        }
        at += word.length();
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean taken(char unit) {
        if (at < text.length() && text.charAt(at) == unit) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char unit) {
        if (!taken(unit)) {
            throw offence("'" + unit + "' is expected");
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw offence("the text ends too early");
        }
        return text.charAt(at);
    }

    private Offence offence(String what) {
        return offence(what, at);
    }

    private Offence offence(String what, int position) {
        return new Offence(what + " (position " + position + " of " + text.length() + ").");
    }

    private static final class Offence extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Offence(String message) {
            super(message, null, false, false);
        }
    }
}
