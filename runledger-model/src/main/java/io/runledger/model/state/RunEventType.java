package io.runledger.model.state;

/** What somebody did to a workflow run that is still going on. */
public enum RunEventType implements WireText {
    /** It was paused: none of its steps starts. */
    PAUSED,
    /** It was resumed: what is ready starts. */
    RESUMED;
}
