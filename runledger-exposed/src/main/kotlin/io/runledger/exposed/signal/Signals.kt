package io.runledger.exposed.signal

import io.runledger.exposed.schema.Channel

/**
 * Notifications of changes in the ledger. A notification is sent when the change commits, whichever process made the change.
 *
 * All subscribers of a client share one connection and one daemon thread. Both exist while there is at least one subscription.
 * The clients of one [io.runledger.exposed.Ledgers] share them as well. The listener never takes the last connection of the
 * pool. If no connection is free, or if the database is unreachable, no signals arrive and the listener keeps trying. Do not
 * depend on signals alone: poll as well.
 */
public class Signals internal constructor(private val channel: Channel, private val notificationHub: NotificationHub?) {
    /** Whether the client can receive signals. False if the client was built with notifications off. */
    @get:JvmName("isEnabled")
    public val isEnabled: Boolean get() = notificationHub != null

    /**
     * Whether the client receives signals at this moment. False while there is no subscription, the database is unreachable,
     * the pool has no free connection, or the connections go through a pooler that shares sessions between transactions.
     */
    @get:JvmName("isListening")
    public val isListening: Boolean get() = notificationHub?.isListening(channel) == true

    /**
     * Calls [subscriber] for every signal from now on. The first signal is [Signal.Resumed], sent as soon as the listener is
     * active. Returns immediately, even if the database is unreachable. To unsubscribe, close the returned handle. Closing it
     * twice has no effect.
     */
    public fun subscribe(subscriber: SignalSubscriber): AutoCloseable = subscribe(subscriber, isDirect = false)

    /**
     * Like [subscribe]. In addition, jobs that this client enqueues in a transaction of its own are signalled when the call
     * returns, on the thread of that call. Two calls of [subscriber] may overlap.
     */
    @JvmSynthetic
    internal fun subscribeDirectly(subscriber: SignalSubscriber): AutoCloseable = subscribe(subscriber, isDirect = true)

    /** The signal to the direct subscribers of this process for due jobs of [jobTypes]. Null if there are none. */
    @JvmSynthetic
    internal fun direct(jobTypes: Set<String>): DirectSignal? =
        notificationHub?.subscriptions?.get(channel)?.takeIf { it.hasDirect }?.let { DirectSignal(it, jobTypes) }

    private fun subscribe(subscriber: SignalSubscriber, isDirect: Boolean): AutoCloseable =
        notificationHub?.subscribe(channel, subscriber, isDirect) ?: AutoCloseable { }
}
