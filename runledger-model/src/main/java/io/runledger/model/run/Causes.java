package io.runledger.model.run;

import io.runledger.model.id.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An exception and what led to it, told in one line that fits a row. The last cause is the one to look for, so it is always told: of
 * a long chain the middle is left out, and long messages share the room, so that none of them takes another's.
 */
final class Causes {
    private static final int MOST = 16;

    /** Causes that are made anew at every question never end. */
    private static final int DEEPEST = 100_000;

    private static final String JOINT = "; caused by ";

    private Causes() {}

    static String story(Throwable thrown) {
        List<Throwable> chain = chain(thrown);
        int left = Math.max(0, chain.size() - MOST);
        String gap = left == 0 ? "" : "; " + left + " more";
        List<Throwable> told = new ArrayList<>(chain.subList(0, Math.min(chain.size(), MOST)));
        told.set(told.size() - 1, chain.get(chain.size() - 1));
        int room = Bounds.MESSAGE_BYTES - (told.size() - 1) * JOINT.length() - gap.length();
        List<String> texts = sharing(room, told.stream().map(Causes::text).toList());
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

    /** The short texts whole; the long ones cut to what these leave, each to the same size. */
    private static List<String> sharing(int room, List<String> texts) {
        List<String> shared = new ArrayList<>(texts);
        List<Integer> shortestFirst = IntStream.range(0, texts.size())
                .boxed()
                .sorted(Comparator.comparing(at -> texts.get(at).length()))
                .toList();
        long free = room;
        int waiting = texts.size();
        for (int at : shortestFirst) {
            String text = Bounds.text(texts.get(at), (int) (free / waiting));
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
