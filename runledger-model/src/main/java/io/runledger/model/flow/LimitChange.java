package io.runledger.model.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of the values of a limit or queue that are in force.
 *
 * @param name name of the limit or of the queue
 * @param values the values since the change
 * @param changedBy the operator; null for a declaration by code, and for a caller without an actor
 * @param reason null if none was given, and for a declaration by code
 */
public record LimitChange(
        String name,
        Instant changedAt,
        LimitValues values,
        @Nullable String changedBy,
        @Nullable String reason) {}
