package io.runledger.model.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue, limits, order and share of a stored job. They follow from its type and its request when it is enqueued, and
 * stay as they are.
 *
 * @param queue named queue; null for the default queue
 * @param limitKeys what the job needs a permit of: the name of a limit, and for a limit by key or by organization a colon
 *     and the key. In order of name; unmodifiable
 * @param orderKey name of the order, a colon and the key: jobs with the same order key run one after another. Null for none
 * @param shareKey jobs of a type with the same key share its turns of the claims; null for none
 */
public record StoredFlow(
        @Nullable String queue,
        List<String> limitKeys,
        @Nullable String orderKey,
        @Nullable String shareKey) {
    /** No queue, limits, order or share. */
    public static final StoredFlow NONE = new StoredFlow(null, List.of(), null, null);

    public StoredFlow {
        limitKeys = List.copyOf(limitKeys);
    }

    /** Whether the job has no queue, limits, order or share. */
    public boolean isEmpty() {
        return equals(NONE);
    }
}
