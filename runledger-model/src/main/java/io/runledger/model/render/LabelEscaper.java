package io.runledger.model.render;

import java.util.function.IntPredicate;

/**
 * Escapes names for diagrams, so that a name cannot end a quoted string, start a line or send a control sequence to a
 * terminal.
 */
final class LabelEscaper {
    private LabelEscaper() {}

    /** Escapes a quoted Mermaid label: characters of markup or Markdown are written as character codes. */
    static String forMermaid(String text) {
        String visible = escaped(text, point -> true);
        StringBuilder shown = new StringBuilder(visible.length());
        int[] points = visible.codePoints().toArray();
        for (int place = 0; place < points.length; place++) {
            boolean isInside = place > 0
                    && place < points.length - 1
                    && Character.isLetterOrDigit(points[place - 1])
                    && Character.isLetterOrDigit(points[place + 1]);
            if (Character.isLetterOrDigit(points[place]) || isInside && " -_./".indexOf(points[place]) >= 0) {
                shown.appendCodePoint(points[place]);
            } else {
                shown.append('#').append(points[place]).append(';');
            }
        }
        return shown.toString();
    }

    /** Escapes a quoted DOT label. */
    static String forDot(String text) {
        return escaped(text, point -> true)
                .replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("&", "&amp;");
    }

    /**
     * Returns an unambiguous name unchanged and any other name quoted and escaped. Different names have different
     * results.
     */
    static String forTree(String text, boolean isAscii) {
        IntPredicate isPlain = point -> !isAscii || point < 0x80;
        boolean isSimple = text.codePoints().allMatch(point -> isSimple(point) && isPlain.test(point));
        if (isSimple) {
            return text;
        }
        return '"' + escaped(text.replace("\\", "\\\\").replace("\"", "\\\""), isPlain) + '"';
    }

    private static boolean isSimple(int point) {
        return !isInvisible(point) && !Character.isSpaceChar(point) && "\"\\()[]{}".indexOf(point) < 0;
    }

    private static String escaped(String text, IntPredicate isPlain) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (!isInvisible(point) && isPlain.test(point)) {
                shown.appendCodePoint(point);
            } else if (Character.isBmpCodePoint(point)) {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.append(String.format("\\u{%x}", point));
            }
        });
        return shown.toString();
    }

    private static boolean isInvisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
