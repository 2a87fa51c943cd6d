package io.runledger.model.state;

import java.util.Locale;

/** How far a job is, in its own words; stored in lower case. */
public enum JobStage implements WireText {
    /** Accepted. */
    QUEUED,
    /** Made by a schedule. */
    SCHEDULED,
    /** A handler works on it. */
    RUNNING,
    /** Succeeded. */
    COMPLETED;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
