package io.runledger.model.fleet;

import io.runledger.model.ledger.WireText;

/** The kind of an order. */
public enum WorkerOrderKind implements WireText {
    /** Workers claim no jobs until the order is lifted. It also applies to workers that start later. */
    DRAIN,
    /** Workers shut down gracefully. It applies only to workers that were running when it was given. */
    STOP;
}
