package io.runledger.model.job;

import io.runledger.model.ledger.WireText;
import java.util.Locale;

/** The stage of a job, as reported by its handler; stored in lower case. */
public enum JobStage implements WireText {
    /** Accepted. */
    QUEUED,
    /** Created by a schedule. */
    SCHEDULED,
    /** A handler is running. */
    RUNNING,
    /** Succeeded. */
    COMPLETED;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
