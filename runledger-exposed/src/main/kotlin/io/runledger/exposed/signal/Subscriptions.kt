package io.runledger.exposed.signal

import org.slf4j.LoggerFactory
import java.util.concurrent.CopyOnWriteArrayList

/** Who wants to hear, and who has been told that the listening began. */
internal class Subscriptions {
    private val all = CopyOnWriteArrayList<Subscription>()

    val isEmpty: Boolean get() = all.isEmpty()

    fun add(subscriber: SignalSubscriber): Subscription = Subscription(subscriber).also(all::add)

    fun remove(subscription: Subscription): Boolean = all.remove(subscription)

    /** After this everybody is told again that the listening began. */
    fun forgetGreetings() = all.forEach { it.isGreeted = false }

    fun greet() = all.filterNot { it.isGreeted }.forEach {
        it.isGreeted = true
        it.tell(Signal.Resumed)
    }

    fun tell(signal: Signal) = all.forEach { it.tell(signal) }

    class Subscription(private val subscriber: SignalSubscriber) {
        @Volatile
        var isGreeted: Boolean = false

        @Suppress("TooGenericExceptionCaught")
        fun tell(signal: Signal) = try {
            subscriber.on(signal)
        } catch (thrown: Throwable) {
            log.warn("A subscriber threw at {}; the others were told.", signal, thrown)
        }
    }

    private companion object {
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
