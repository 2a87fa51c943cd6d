package io.runledger.model.run;

import io.runledger.model.state.WireText;

/** How much a line in a job's log matters. Stored as text; rows written by others may hold other levels. */
public enum LogLevel implements WireText {
    /** Every detail. */
    TRACE,
    /** For whoever hunts a defect. */
    DEBUG,
    /** What happened. */
    INFO,
    /** Unexpected, and handled. */
    WARN,
    /** Something failed. */
    ERROR;
}
