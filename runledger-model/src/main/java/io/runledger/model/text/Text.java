package io.runledger.model.text;

import java.util.PrimitiveIterator;

/** Defines blank texts, the size of a text and storable texts for all modules of the library. */
public final class Text {
    private static final int SHOWN = 60;

    private Text() {}

    /**
     * Whether the text consists only of characters with the Unicode property {@code White_Space}. Unlike
     * {@link String#isBlank()}, this includes no-break spaces.
     */
    public static boolean isBlank(String text) {
        return text.codePoints().allMatch(Text::isWhiteSpace);
    }

    /** Whether the text starts or ends with white space. */
    public static boolean isPadded(String text) {
        return !text.isEmpty()
                && (isWhiteSpace(text.codePointAt(0)) || isWhiteSpace(text.codePointBefore(text.length())));
    }

    /** The size in UTF-8 bytes. */
    public static long utf8Length(String text) {
        long bytes = 0;
        for (PrimitiveIterator.OfInt points = text.codePoints().iterator(); points.hasNext(); ) {
            int point = points.nextInt();
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        }
        return bytes;
    }

    /** Whether PostgreSQL can store the text, which must not contain NUL or an unpaired surrogate. */
    public static boolean isStorable(String text) {
        return text.codePoints().noneMatch(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF));
    }

    /** Replaces each character that PostgreSQL cannot store with U+FFFD. */
    public static String storable(String text) {
        if (isStorable(text)) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF) ? 0xFFFD : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /**
     * Formats the text for a message: in single quotes, shortened to about sixty characters, with control and
     * bidirectional formatting characters escaped.
     */
    public static String quoted(String text) {
        return "'" + visible(text) + "'";
    }

    /** Like {@link #quoted(String)}, without the quotes. */
    public static String visible(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(SHOWN).forEach(point -> {
            if (Character.isISOControl(point) || (point >= 0xD800 && point <= 0xDFFF) || turnsDirection(point)) {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        if (text.codePointCount(0, text.length()) > SHOWN) {
            shown.append('…');
        }
        return shown.toString();
    }

    private static boolean turnsDirection(int point) {
        return point == 0x061C
                || point == 0x200E
                || point == 0x200F
                || (point >= 0x202A && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069);
    }

    private static boolean isWhiteSpace(int point) {
        return (point >= 0x09 && point <= 0x0D)
                || point == 0x20
                || point == 0x85
                || point == 0xA0
                || point == 0x1680
                || (point >= 0x2000 && point <= 0x200A)
                || point == 0x2028
                || point == 0x2029
                || point == 0x202F
                || point == 0x205F
                || point == 0x3000;
    }
}
