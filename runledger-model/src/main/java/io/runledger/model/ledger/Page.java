package io.runledger.model.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list in a stable order. Rows that are added or removed between two reads do not cause duplicates or gaps.
 *
 * @param items unmodifiable
 * @param next opaque cursor for the next page, or null if this is the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }

    public boolean hasNext() {
        return next != null;
    }
}
