package io.runledger.model.flow;

import io.runledger.model.ledger.WireText;

/** What jobs have in common that share a limit, an order or a share. */
public enum KeyedBy implements WireText {
    /** Nothing: all jobs share it. */
    NONE,
    /** Their organization. The global jobs together count as one organization. */
    ORGANIZATION,
    /** A key: the result of a function of the payload, or the key that the request gives. */
    KEY
}
