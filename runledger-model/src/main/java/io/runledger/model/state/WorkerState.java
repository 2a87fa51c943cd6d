package io.runledger.model.state;

/** What a worker does, in its own words: each is written by the worker itself, with a beat. */
public enum WorkerState implements WireText {
    /** It claims jobs. */
    WORKING,
    /** It was told to claim nothing more, has no claim under way, and finishes what runs. */
    DRAINING,
    /** It claims nothing, and nothing runs any more. */
    DRAINED,
    /** It ends: it finishes what ends in time and gives the rest back. */
    STOPPING;
}
