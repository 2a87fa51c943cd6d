package io.runledger.model.operator;

import io.runledger.model.ledger.WireText;

/** What an operator's action names: one row, several rows, or a selection of rows. */
public enum OperatorTargetKind implements WireText {
    JOB,
    /** Several jobs that the call listed. */
    JOBS,
    /** The jobs that matched a selection. */
    JOB_SELECTION,
    /** A workflow run, or one of its steps. */
    RUN,
    /** Several runs that the call listed. */
    RUNS,
    SCHEDULE,
    JOB_TYPE,
    /** The workers with a label, or all workers. */
    WORKERS,
    WORKER_ORDER,
    LIMIT,
    QUEUE,
    /** A share of a job type. */
    SHARE,
    /** Another action. */
    ACTION
}
