package io.runledger.exposed.signal

/**
 * Receives signals. One thread, shared by all subscribers of a client, makes the calls, one at a time. Return quickly and do
 * the work on another thread. If the subscriber throws an exception, it is logged; the other subscribers still receive the
 * signal.
 */
public fun interface SignalSubscriber {
    /** Called for each signal. */
    public fun on(signal: Signal)
}
