package io.runledger.exposed.signal

import io.runledger.exposed.schema.Channel

/**
 * The subscribers of all channels that share one listener connection. A client has its own hub. The clients of one
 * [io.runledger.exposed.Ledgers] share a hub. A notification reaches only the subscribers of its channel.
 */
internal class NotificationHub(private val connection: ListenerConnection) {
    private val lock = Any()
    private var hasListener = false

    @Volatile
    private var listener: Listener? = null

    /** Replaced on every change, so that the listener reads it without a lock. */
    @Volatile
    var subscriptions: Map<Channel, Subscriptions> = emptyMap()
        private set

    fun isListening(channel: Channel): Boolean = listener?.isListening(channel) == true

    /** If [isDirect], the subscriber also receives signals of this process, on the thread that sends them. */
    fun subscribe(channel: Channel, subscriber: SignalSubscriber, isDirect: Boolean): AutoCloseable = synchronized(lock) {
        val channelSubscriptions = subscriptions[channel] ?: Subscriptions().also { subscriptions += channel to it }
        val subscription = channelSubscriptions.add(subscriber, isDirect)
        if (!hasListener) {
            hasListener = true
            listener = Listener(connection, ::subscriptions, ::isNeeded).apply { start() }
        }
        AutoCloseable { leave(channel, channelSubscriptions, subscription) }
    }

    private fun leave(channel: Channel, channelSubscriptions: Subscriptions, subscription: Subscriptions.Subscription) =
        synchronized(lock) {
            channelSubscriptions.remove(subscription)
            if (channelSubscriptions.isEmpty && subscriptions[channel] === channelSubscriptions) subscriptions -= channel
        }

    /**
     * The listener calls this between two reads. There is never more than one listener, however often subscribers come and go.
     */
    private fun isNeeded(): Boolean = synchronized(lock) {
        hasListener = subscriptions.isNotEmpty()
        hasListener
    }
}
