package io.runledger.model.failure;

import io.runledger.model.text.Text;
import io.runledger.model.value.StorableValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Describes an exception and its causes in one line of limited size. The root cause is always included: in a long chain
 * the middle is omitted, and long messages are truncated to the same size.
 */
final class Causes {
    private static final int MOST = 16;

    /** Limits a chain of causes in which every call creates a new cause. */
    private static final int DEEPEST = 100_000;

    private static final String JOINT = "; caused by ";

    private Causes() {}

    static String story(Throwable thrown) {
        List<Throwable> chain = chain(thrown);
        int left = Math.max(0, chain.size() - MOST);
        String gap = left == 0 ? "" : "; " + left + " more";
        List<Throwable> shown = new ArrayList<>(chain.subList(0, Math.min(chain.size(), MOST)));
        shown.set(shown.size() - 1, chain.get(chain.size() - 1));
        int room = StorableValues.MESSAGE_BYTES - (shown.size() - 1) * JOINT.length() - gap.length();
        List<String> texts = sharing(room, shown.stream().map(Causes::text).toList());
        int last = texts.size() - 1;
        return last == 0 ? texts.get(0) : String.join(JOINT, texts.subList(0, last)) + gap + JOINT + texts.get(last);
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = thrown; at != null && chain.size() < DEEPEST && seen.add(at); at = Thrown.causeOf(at)) {
            chain.add(at);
        }
        return chain;
    }

    /** Keeps short texts and truncates the long ones to equal shares of the remaining space. */
    private static List<String> sharing(int room, List<String> texts) {
        List<String> shared = new ArrayList<>(texts);
        List<Integer> shortestFirst = IntStream.range(0, texts.size())
                .boxed()
                .sorted(Comparator.comparing(at -> texts.get(at).length()))
                .toList();
        long free = room;
        int waiting = texts.size();
        for (int at : shortestFirst) {
            String text = StorableValues.text(texts.get(at), (int) (free / waiting));
            shared.set(at, text);
            free -= Text.utf8Length(text);
            waiting--;
        }
        return shared;
    }

    private static String text(Throwable thrown) {
        String name = thrown.getClass().getName();
        try {
            String message = thrown.getMessage();
            return message == null ? name : name + ": " + message;
        } catch (Throwable broken) {
            return name + ": (its message cannot be read: " + broken.getClass().getName() + ")";
        }
    }
}
