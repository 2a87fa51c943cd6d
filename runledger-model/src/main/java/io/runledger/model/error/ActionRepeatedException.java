package io.runledger.model.error;

import java.util.UUID;

/** The ledger has recorded an operator's action with the same key before, so the call changed nothing. */
public final class ActionRepeatedException extends ConflictException {
    private static final long serialVersionUID = 1L;

    private final UUID actionId;

    /** @param actionId the recorded action */
    public ActionRepeatedException(UUID actionId) {
        super(
                ErrorCode.ACTION_REPEATED,
                "An action with this key was recorded before as " + actionId
                        + ", and this call changed nothing: read that action, or use another key.");
        this.actionId = actionId;
    }

    /** The action that was recorded with the key. */
    public UUID actionId() {
        return actionId;
    }
}
