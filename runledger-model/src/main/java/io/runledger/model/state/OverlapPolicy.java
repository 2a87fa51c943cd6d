package io.runledger.model.state;

/** What to do when the previous job or run of a schedule is still live. */
public enum OverlapPolicy implements WireText {
    /** Fire anyway. */
    ALLOW,
    /** Skip this fire. */
    SKIP;
}
