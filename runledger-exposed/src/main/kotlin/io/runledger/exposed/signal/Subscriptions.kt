package io.runledger.exposed.signal

import org.slf4j.LoggerFactory
import java.util.concurrent.CopyOnWriteArrayList

/** The subscribers of one channel. Each of them receives [Signal.Resumed] once per listener connection. */
internal class Subscriptions {
    private val all = CopyOnWriteArrayList<Subscription>()

    val isEmpty: Boolean get() = all.isEmpty()

    fun add(subscriber: SignalSubscriber): Subscription = Subscription(subscriber).also(all::add)

    fun remove(subscription: Subscription): Boolean = all.remove(subscription)

    /** After this call, [sendResumed] sends [Signal.Resumed] to every subscriber again. */
    fun resetResumed() = all.forEach { it.isResumedSent = false }

    fun sendResumed() = all.filterNot { it.isResumedSent }.forEach {
        it.isResumedSent = true
        it.send(Signal.Resumed)
    }

    fun send(signal: Signal) = all.forEach { it.send(signal) }

    class Subscription(private val subscriber: SignalSubscriber) {
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
