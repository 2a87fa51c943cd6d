package io.runledger.exposed.signal

/**
 * What happens in the ledger, heard at the moment it commits, whichever process did it.
 *
 * All subscribers of a client share one connection and one daemon thread, which are there from the first subscription to the
 * last. The connection is never the last one of its pool: where there is none to spare, and while the database is away, nothing
 * is heard, and the listener keeps trying. Nobody may depend on being told: look from time to time as well.
 */
public class Signals internal constructor(private val listening: Listening?) {
    private val subscriptions = Subscriptions()
    private val lock = Any()
    private var isListening = false

    @Volatile
    private var listener: Listener? = null

    /** Whether anything can be heard: false for a client that was built with its notifications off. */
    @get:JvmName("isEnabled")
    public val isEnabled: Boolean get() = listening != null

    /**
     * Whether signals are heard at this moment. Not while nobody has subscribed, the database is away, there is no connection to
     * spare, or the connections go through a pooler that shares sessions between transactions.
     */
    @get:JvmName("isHearing")
    public val isHearing: Boolean get() = listener?.isHearing == true

    /**
     * Tells [subscriber] of everything from now on, beginning with [Signal.Resumed] as soon as the listening is in effect.
     * Returns at once, also when the database is away. Close what it returns to hear no more; closing it twice is harmless.
     */
    public fun subscribe(subscriber: SignalSubscriber): AutoCloseable {
        if (listening == null) return AutoCloseable { }
        val subscription = subscriptions.add(subscriber)
        synchronized(lock) {
            if (!isListening) {
                isListening = true
                listener = Listener(listening, subscriptions, ::isNeeded).apply { start() }
            }
        }
        return AutoCloseable { subscriptions.remove(subscription) }
    }

    /** Asked by the listener between its turns, so that there is never more than one, however often subscribers come and go. */
    private fun isNeeded(): Boolean = synchronized(lock) {
        isListening = !subscriptions.isEmpty
        isListening
    }
}
