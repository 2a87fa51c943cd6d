package io.runledger.model.state;

/** What the contribution of a step does to a name that the run's context has already. */
public enum ContextMerge implements WireText {
    /** The later value replaces the earlier one. */
    REPLACE,
    /** The first value stays; later ones are dropped. */
    KEEP,
    /** The first value stays; a step that contributes another one fails, the same one is fine. */
    REFUSE
}
