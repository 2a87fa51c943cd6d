package io.runledger.model.schedule;

import io.runledger.model.ledger.WireText;

/** The action of a schedule. */
public enum ScheduleKind implements WireText {
    /** Creates a job. */
    JOB,
    /** Starts a workflow run. */
    WORKFLOW,
    /** Calls a function of a worker, whose result determines the jobs and runs to start. */
    POLL;
}
