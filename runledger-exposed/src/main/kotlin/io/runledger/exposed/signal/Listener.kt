package io.runledger.exposed.signal

import io.runledger.exposed.schema.Channel
import io.runledger.exposed.signal.Subscriptions.Received
import org.postgresql.PGConnection
import org.postgresql.PGNotification
import org.slf4j.LoggerFactory
import org.slf4j.event.Level
import java.sql.SQLTransientConnectionException
import kotlin.concurrent.thread

/** The thread that listens on the channels of [subscriptions] while it [isNeeded]. After a failure it opens a new connection. */
internal class Listener(
    private val connection: ListenerConnection,
    private val subscriptions: () -> Map<Channel, Subscriptions>,
    private val isNeeded: () -> Boolean,
) {
    /** The channels that the connection listens on now. */
    @Volatile
    private var listened: Set<Channel> = emptySet()

    private var isDone = false
    private var isLost = false
    private var backOff = FIRST_BACK_OFF

    fun isListening(channel: Channel): Boolean = channel in listened

    fun start() {
        thread(isDaemon = true, name = "runledger-signals", block = ::run)
    }

    @Suppress("TooGenericExceptionCaught")
    private fun run() {
        while (shouldContinue()) {
            try {
                connection.connected { channels, driver ->
                    try {
                        listen(channels, driver)
                    } finally {
                        listened = emptySet()
                    }
                }
            } catch (failure: Throwable) {
                // Not only SQLException: a closed pool or an interrupted driver may throw anything. An error must not end the
                // thread either, because no other code would start a new one.
                if (shouldContinue()) onFailure(failure)
            }
        }
    }

    // After false, isNeeded is not called again: another listener may have started since.
    private fun shouldContinue(): Boolean {
        isDone = isDone || !isNeeded()
        return !isDone
    }

    private fun listen(channels: ListenedChannels, driver: PGConnection) {
        subscriptions().values.forEach { it.resetResumed() }
        val repeated = HashMap<Channel, RepeatedNotifications>()
        var checked = System.nanoTime()
        while (shouldContinue()) {
            val subscriptions = subscriptions()
            channels.requireOpenSource()
            listenTo(channels, subscriptions.keys)
            repeated.keys.retainAll(subscriptions.keys)
            subscriptions.values.forEach { it.sendResumed() }
            val turn = subscriptions.keys
                .minOfOrNull { repeated.getOrPut(it) { RepeatedNotifications() }.millisUntilNext(TURN_MILLIS) }
                ?: TURN_MILLIS
            val messages = driver.getNotifications(turn).orEmpty().groupBy { it.name }
            subscriptions.forEach { (channel, channelSubscriptions) ->
                val received = messages[channel.name].orEmpty().mapNotNull(::signalIn)
                val again = repeated.getValue(channel).also { received.map(Received::signal).forEach(it::received) }.take()
                channelSubscriptions.send(received)
                again.forEach(channelSubscriptions::send)
            }
            if (System.nanoTime() - checked > CHECK_NANOS) {
                // If the server disappears without closing the connection, the read alone does not detect it.
                if (!channels.isAlive(CHECK_PATIENCE_SECONDS)) {
                    throw SQLTransientConnectionException("The server did not respond to the connection check.")
                }
                checked = System.nanoTime()
            }
        }
    }

    private fun signalIn(message: PGNotification): Received? = signalOf(message.parameter)?.let { Received(it, message.pid) }

    private fun listenTo(channels: ListenedChannels, wanted: Set<Channel>) {
        if (listened == wanted) return
        channels.listenTo(wanted)
        listened = wanted
        onListening()
    }

    private fun onListening() {
        log.atLevel(if (isLost) Level.INFO else Level.DEBUG).log("Listening on {}.", names())
        isLost = false
        backOff = FIRST_BACK_OFF
    }

    private fun onFailure(failure: Throwable) {
        // Without subscribers, a lost connection has no effect.
        if (!isLost && subscriptions().isNotEmpty()) {
            log.warn("Not listening on {}. Changes are found by polling instead: {}", names(), failure.toString())
        }
        isLost = true
        Thread.sleep(backOff)
        val longest = if (failure is CannotListenException) LONGEST_IF_MISCONFIGURED else LONGEST_BACK_OFF
        backOff = (backOff * 2).coerceAtMost(longest)
    }

    private fun names() = subscriptions().keys.joinToString(limit = SHOWN) { it.name }

    private companion object {
        const val SHOWN = 5
        const val TURN_MILLIS = 500
        const val CHECK_NANOS = 30_000_000_000L
        const val CHECK_PATIENCE_SECONDS = 5
        const val FIRST_BACK_OFF = 100L
        const val LONGEST_BACK_OFF = 10_000L
        const val LONGEST_IF_MISCONFIGURED = 60_000L
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
