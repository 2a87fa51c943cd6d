package io.runledger.model.state;

/** What to do with fires missed while nothing was running. */
public enum MisfirePolicy implements WireText {
    /** Forget them. */
    SKIP,
    /** Fire once for all of them. */
    ONE,
    /** Fire each, up to a limit. */
    ALL;
}
