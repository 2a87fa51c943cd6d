package io.runledger.model.flow;

/** What happens to the jobs of an order behind a job that becomes a dead letter. */
public enum AfterDeadLetter {
    /** They wait until the dead letter is requeued, released from its order, or deleted. */
    HOLD,
    /** They go on without it. */
    GO_ON
}
