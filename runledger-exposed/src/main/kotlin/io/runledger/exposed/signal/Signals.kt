package io.runledger.exposed.signal

/**
 * What happens in the ledger, heard at the moment it commits, whichever process did it.
 *
 * All subscribers of a client share one connection and one daemon thread, which are there from the first subscription to the
 * last; clients that come from one [io.runledger.exposed.Ledgers] share them, too. The connection is never the last one of its
 * pool: where there is none to spare, and while the database is away, nothing is heard, and the listener keeps trying. Nobody may
 * depend on being told: look from time to time as well.
 */
public class Signals internal constructor(private val channel: Channel, private val hearing: Hearing?) {
    /** Whether anything can be heard: false for a client that was built with its notifications off. */
    @get:JvmName("isEnabled")
    public val isEnabled: Boolean get() = hearing != null

    /**
     * Whether signals are heard at this moment. Not while nobody has subscribed, the database is away, there is no connection to
     * spare, or the connections go through a pooler that shares sessions between transactions.
     */
    @get:JvmName("isHearing")
    public val isHearing: Boolean get() = hearing?.isHearing(channel) == true

    /**
     * Tells [subscriber] of everything from now on, beginning with [Signal.Resumed] as soon as the listening is in effect.
     * Returns at once, also when the database is away. Close what it returns to hear no more; closing it twice is harmless.
     */
    public fun subscribe(subscriber: SignalSubscriber): AutoCloseable =
        hearing?.subscribe(channel, subscriber) ?: AutoCloseable { }
}
