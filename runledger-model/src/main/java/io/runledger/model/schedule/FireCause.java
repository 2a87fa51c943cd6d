package io.runledger.model.schedule;

import io.runledger.model.ledger.WireText;

/** The cause of an entry in the history of a schedule. */
public enum FireCause implements WireText {
    /** The schedule was due. */
    CLOCK,
    /** An operator called the API. */
    OPERATOR,
    /** A backfill fired an instant of the past. */
    BACKFILL;
}
