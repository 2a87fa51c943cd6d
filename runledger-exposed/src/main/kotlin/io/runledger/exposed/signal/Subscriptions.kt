package io.runledger.exposed.signal

import org.slf4j.LoggerFactory
import java.util.concurrent.CopyOnWriteArrayList

/** The subscribers of one channel. Each of them receives [Signal.Resumed] once per listener connection. */
internal class Subscriptions {
    private val all = CopyOnWriteArrayList<Subscription>()

    /** Notifications that the direct subscribers receive without the listener. */
    val own = OwnNotifications()

    val isEmpty: Boolean get() = all.isEmpty()

    val hasDirect: Boolean get() = all.any { it.isDirect }

    fun add(subscriber: SignalSubscriber, isDirect: Boolean): Subscription = Subscription(subscriber, isDirect).also(all::add)

    fun remove(subscription: Subscription): Boolean = all.remove(subscription)

    /** After this call, [sendResumed] sends [Signal.Resumed] to every subscriber again. */
    fun resetResumed() {
        own.clear()
        all.forEach { it.isResumedSent = false }
    }

    fun sendResumed() = all.filterNot { it.isResumedSent }.forEach {
        it.isResumedSent = true
        it.send(Signal.Resumed)
    }

    fun send(signal: Signal) = all.forEach { it.send(signal) }

    /** Sends a signal of this process to the direct subscribers, on the caller's thread. */
    fun sendDirectly(signal: Signal) = all.forEach { if (it.isDirect) it.send(signal) }

    /** Sends what one read has [received]. Direct subscribers have received the notifications of this process already. */
    fun send(received: List<Received>) {
        val (own, foreign) = received.partition { it.isFrom(own) }
        val toAll = foreign.mapTo(LinkedHashSet()) { it.signal }
        toAll.forEach(::send)
        own.mapTo(LinkedHashSet()) { it.signal }.minus(toAll)
            .forEach { signal -> all.forEach { if (!it.isDirect) it.send(signal) } }
    }

    class Received(val signal: Signal, private val backendPid: Int) {
        fun isFrom(own: OwnNotifications): Boolean = signal is Signal.DueJobs && own.take(backendPid, signal.jobType)
    }

    class Subscription(private val subscriber: SignalSubscriber, val isDirect: Boolean) {
        @Volatile
        var isResumedSent: Boolean = false

        @Suppress("TooGenericExceptionCaught")
        fun send(signal: Signal) = try {
            subscriber.on(signal)
        } catch (thrown: Throwable) {
            log.warn("A subscriber threw an exception on {}. The other subscribers received the signal.", signal, thrown)
        }
    }

    private companion object {
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
