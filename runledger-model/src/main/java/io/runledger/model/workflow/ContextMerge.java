package io.runledger.model.workflow;

import io.runledger.model.ledger.WireText;

/** The rule for a contribution under a name that the run's context already has. */
public enum ContextMerge implements WireText {
    /** The later value replaces the earlier one. */
    REPLACE,
    /** The first value is kept; later values are dropped. */
    KEEP,
    /** The first value is kept. A step that contributes another value fails; contributing the same value is allowed. */
    REFUSE
}
