package io.runledger.model.text;

/** Defines blank texts, the size of a text and storable texts for all modules of the library. */
public final class Text {
    private static final int SHOWN = 60;

    private Text() {}

    /**
     * Whether the text consists only of characters with the Unicode property {@code White_Space}. Unlike
     * {@link String#isBlank()}, this includes no-break spaces.
     */
    public static boolean isBlank(String text) {
        for (int at = 0; at < text.length(); at++) {
            // White space lies in the basic plane, so no pair has to be put together.
            if (!isWhiteSpace(text.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the text starts or ends with white space. */
    public static boolean isPadded(String text) {
        return !text.isEmpty()
                && (isWhiteSpace(text.codePointAt(0)) || isWhiteSpace(text.codePointBefore(text.length())));
    }

    /** The size in UTF-8 bytes. */
    public static long utf8Length(String text) {
        long bytes = text.length();
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (unit >= 0x80) {
                // The two halves of a pair take four bytes together.
                bytes += unit < 0x800 || isPair(text, at) || isPair(text, at - 1) ? 1 : 2;
            }
        }
        return bytes;
    }

    /** Whether PostgreSQL can store the text, which must not contain NUL or an unpaired surrogate. */
    public static boolean isStorable(String text) {
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (unit == 0 || (Character.isSurrogate(unit) && !isPair(text, at) && !isPair(text, at - 1))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a surrogate pair begins at the position. */
    private static boolean isPair(String text, int at) {
        return at >= 0 && at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
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
