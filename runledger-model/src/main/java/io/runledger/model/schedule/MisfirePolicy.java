package io.runledger.model.schedule;

import io.runledger.model.ledger.WireText;

/** The handling of fires that were missed while no worker was running. */
public enum MisfirePolicy implements WireText {
    /** Skip all missed fires. */
    SKIP,
    /** Fire once for all missed fires. */
    ONE,
    /** Fire once for each missed fire, up to a limit. */
    ALL;
}
