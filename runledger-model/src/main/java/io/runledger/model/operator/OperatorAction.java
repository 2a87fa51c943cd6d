package io.runledger.model.operator;

import io.runledger.model.json.Json;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An action of an operator, as the ledger recorded it.
 *
 * @param id time-ordered; descending ids list the newest first
 * @param actor name that the operator gave
 * @param organizationId organization of the row or of the scope; null for a global row, and for an action on rows of
 *     any organization
 * @param reason null if the call took none
 * @param key request key of the operator, which no other action has; null if the operator gave none
 * @param changed number of rows changed so far; 0 if everything was as requested already
 * @param total planned number of rows; null if it is not known
 * @param details further facts, for example the selection; a JSON object
 * @param undoneBy action that undid this one; null unless it was undone
 * @param finishedAt null while the action is running, and if its process ended before the action
 */
public record OperatorAction(
        UUID id,
        String actor,
        OperatorActionKind kind,
        OperatorTarget target,
        @Nullable UUID organizationId,
        @Nullable String reason,
        @Nullable String key,
        long changed,
        @Nullable Long total,
        Json details,
        @Nullable UUID undoneBy,
        Instant startedAt,
        @Nullable Instant finishedAt) {
    public boolean isFinished() {
        return finishedAt != null;
    }

    public boolean isUndone() {
        return undoneBy != null;
    }
}
