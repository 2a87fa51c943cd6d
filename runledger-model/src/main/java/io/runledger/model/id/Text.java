package io.runledger.model.id;

import java.util.PrimitiveIterator;

/** What the library means by blank, by a text's size and by a text PostgreSQL can store. One definition for every module. */
public final class Text {
    private static final int SHOWN = 60;

    private Text() {}

    /**
     * Whether the text has no character outside Unicode's {@code White_Space}. Wider than {@link String#isBlank()}, which does not
     * know the no-break spaces.
     *
     * @param text any text
     * @return true for empty and for white space only
     */
    public static boolean isBlank(String text) {
        return text.codePoints().allMatch(Text::isWhiteSpace);
    }

    /**
     * Whether white space stands at either end.
     *
     * @param text any text
     * @return true when trimming would change it
     */
    public static boolean isPadded(String text) {
        return !text.isEmpty()
                && (isWhiteSpace(text.codePointAt(0)) || isWhiteSpace(text.codePointBefore(text.length())));
    }

    /**
     * The text's size as PostgreSQL counts it.
     *
     * @param text any text
     * @return bytes in UTF-8
     */
    public static long utf8Length(String text) {
        long bytes = 0;
        for (PrimitiveIterator.OfInt points = text.codePoints().iterator(); points.hasNext(); ) {
            int point = points.nextInt();
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        }
        return bytes;
    }

    /**
     * Whether PostgreSQL can store the text: no NUL and no half of a surrogate pair.
     *
     * @param text any text
     * @return true when it can be encoded as UTF-8 without NUL
     */
    public static boolean isStorable(String text) {
        return text.codePoints().noneMatch(point -> point == 0 || (point >= 0xD800 && point <= 0xDFFF));
    }

    /**
     * The text with everything replaced that PostgreSQL cannot store, for messages that must be written whatever they hold.
     *
     * @param text any text
     * @return the same text, or a copy with U+FFFD in place of each such character
     */
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
     * The text in quotes for a message: shortened, with control characters made visible, those too that turn the direction of
     * what follows.
     *
     * @param text any text
     * @return at most about sixty characters in single quotes
     */
    public static String quoted(String text) {
        return "'" + visible(text) + "'";
    }

    /**
     * As {@link #quoted(String)}, without the quotes.
     *
     * @param text any text
     * @return at most about sixty characters
     */
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
