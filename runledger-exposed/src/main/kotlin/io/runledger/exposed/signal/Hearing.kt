package io.runledger.exposed.signal

/**
 * Everything that is heard over one connection: the subscribers to each channel and the listener they share. A client has one of
 * its own; the clients of one [io.runledger.exposed.Ledgers] share theirs. Nothing that is said on one channel reaches the
 * subscribers to another.
 */
internal class Hearing(private val listening: Listening) {
    private val lock = Any()
    private var isListening = false

    @Volatile
    private var listener: Listener? = null

    /** Replaced when it changes, so that the listener reads it without a lock. */
    @Volatile
    var rooms: Map<Channel, Subscriptions> = emptyMap()
        private set

    fun isHearing(channel: Channel): Boolean = listener?.isHearing(channel) == true

    fun subscribe(channel: Channel, subscriber: SignalSubscriber): AutoCloseable = synchronized(lock) {
        val room = rooms[channel] ?: Subscriptions().also { rooms += channel to it }
        val subscription = room.add(subscriber)
        if (!isListening) {
            isListening = true
            listener = Listener(listening, ::rooms, ::isNeeded).apply { start() }
        }
        AutoCloseable { leave(channel, room, subscription) }
    }

    private fun leave(channel: Channel, room: Subscriptions, subscription: Subscriptions.Subscription) = synchronized(lock) {
        room.remove(subscription)
        if (room.isEmpty && rooms[channel] === room) rooms -= channel
    }

    /** Asked by the listener between its turns, so that there is never more than one, however often subscribers come and go. */
    private fun isNeeded(): Boolean = synchronized(lock) {
        isListening = rooms.isNotEmpty()
        isListening
    }
}
