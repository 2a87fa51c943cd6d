package io.runledger.exposed.signal

/**
 * Hears signals. Called by one thread at a time, the one that all subscribers of a client share: note what was heard and
 * return, the work belongs elsewhere. What it throws is logged and hurts nobody.
 */
public fun interface SignalSubscriber {
    /** Something happened. */
    public fun on(signal: Signal)
}
