package io.runledger.model.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a longer list, read in a stable order. Rows that come or go between two reads neither repeat nor hide others.
 *
 * @param items what was read; unmodifiable
 * @param next an opaque cursor that continues after the last item, or null when nothing follows
 * @param <T> what is listed
 */
public record Page<T>(List<T> items, @Nullable String next) {
    /**
     * Copies the items.
     *
     * @param items what was read
     * @param next a cursor, or null when nothing follows
     */
    public Page {
        items = List.copyOf(items);
    }

    /**
     * Whether there is more to read.
     *
     * @return true when {@link #next()} is not null
     */
    public boolean hasNext() {
        return next != null;
    }
}
