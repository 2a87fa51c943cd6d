package io.runledger.model.fleet;

import io.runledger.model.ledger.WireText;

/** The state of a worker, written by the worker with its heartbeat. */
public enum WorkerState implements WireText {
    /** The worker claims jobs. */
    WORKING,
    /** A drain order applies. The worker claims no jobs and finishes the running ones. */
    DRAINING,
    /** A drain order applies, and no job is running. */
    DRAINED,
    /** The worker shuts down. It waits for running jobs for a limited time and releases the others. */
    STOPPING;
}
