package io.runledger.model.state;

/** What an order asks of workers. */
public enum WorkerOrderKind implements WireText {
    /** To claim nothing until the order is lifted; it also binds workers that start while it stands. */
    DRAIN,
    /** To end in good order; it binds the workers that were there when it was given. */
    STOP;
}
