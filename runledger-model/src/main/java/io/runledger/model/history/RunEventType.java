package io.runledger.model.history;

import io.runledger.model.ledger.WireText;

/** The type of an event of a live workflow run. */
public enum RunEventType implements WireText {
    /** The run was paused: none of its steps starts. */
    PAUSED,
    /** The run was resumed: steps that are ready start. */
    RESUMED;
}
