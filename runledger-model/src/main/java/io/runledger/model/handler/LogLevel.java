package io.runledger.model.handler;

import io.runledger.model.ledger.WireText;

/** The level of a line in a job's log. Stored as text; other programs may write other levels. */
public enum LogLevel implements WireText {
    /** Fine-grained details. */
    TRACE,
    /** Information for debugging. */
    DEBUG,
    /** Normal events. */
    INFO,
    /** An unexpected event that was handled. */
    WARN,
    /** A failure. */
    ERROR;
}
