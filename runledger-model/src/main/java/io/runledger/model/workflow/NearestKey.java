package io.runledger.model.workflow;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the most similar key, for suggestions in messages. */
final class NearestKey {
    private NearestKey() {}

    /**
     * The key with the smallest edit distance (insertion, deletion, replacement, transposition), if it is small enough
     * for a typing error.
     */
    static Optional<String> to(String wanted, Collection<String> keys) {
        int most = Math.max(1, wanted.length() / 3);
        return keys.stream()
                .filter(key -> Math.abs(key.length() - wanted.length()) <= most && edits(wanted, key) <= most)
                .min(Comparator.comparingInt((String key) -> edits(wanted, key))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int edits(String left, String right) {
        int[] beforeLast = new int[right.length() + 1];
        int[] last = new int[right.length() + 1];
        int[] row = new int[right.length() + 1];
        for (int column = 0; column <= right.length(); column++) {
            last[column] = column;
        }
        for (int line = 1; line <= left.length(); line++) {
            row[0] = line;
            for (int column = 1; column <= right.length(); column++) {
                boolean same = left.charAt(line - 1) == right.charAt(column - 1);
                int least = Math.min(last[column - 1] + (same ? 0 : 1), Math.min(last[column], row[column - 1]) + 1);
                boolean swapped = line > 1
                        && column > 1
                        && left.charAt(line - 1) == right.charAt(column - 2)
                        && left.charAt(line - 2) == right.charAt(column - 1);
                row[column] = swapped ? Math.min(least, beforeLast[column - 2] + 1) : least;
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = row;
            row = spare;
        }
        return last[right.length()];
    }
}
