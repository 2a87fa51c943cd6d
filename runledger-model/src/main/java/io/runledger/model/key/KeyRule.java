package io.runledger.model.key;

import org.jspecify.annotations.Nullable;

/**
 * What an enqueue does if an earlier job has the same key. A key belongs to one job type and one organization, or to
 * the global jobs of the type. It refers to the job that was enqueued with it last, whatever the rule of that enqueue.
 */
public sealed interface KeyRule permits Uniqueness, Debounce, Replacement {
    /** The key; null if the payload is the key. */
    @Nullable
    String key();

    /** The kind of the rule. */
    Kind kind();

    /** The kinds of rules. */
    enum Kind {
        /** {@link Uniqueness} */
        UNIQUE,
        /** {@link Debounce} */
        DEBOUNCE,
        /** {@link Replacement} */
        REPLACE
    }
}
