package io.runledger.exposed.signal

import org.postgresql.PGConnection
import org.slf4j.LoggerFactory
import org.slf4j.event.Level
import java.sql.Connection
import java.sql.SQLTransientConnectionException
import kotlin.concurrent.thread

/** The thread that listens while it [isNeeded], over as many connections as it takes. */
internal class Listener(
    private val listening: Listening,
    private val subscriptions: Subscriptions,
    private val isNeeded: () -> Boolean,
) {
    /** Whether what is said is heard now. */
    @Volatile
    var isHearing: Boolean = false
        private set

    private var isDone = false
    private var isLost = false
    private var backOff = FIRST_BACK_OFF

    fun start() {
        thread(isDaemon = true, name = listening.channel.name, block = ::run)
    }

    @Suppress("TooGenericExceptionCaught")
    private fun run() {
        while (goesOn()) {
            try {
                listening.connected { connection, driver ->
                    isHearing = true
                    try {
                        listen(connection, driver)
                    } finally {
                        isHearing = false
                    }
                }
            } catch (failure: Exception) {
                // Not only SQLException: a pool that was closed, or a driver cut off in the middle, may throw anything.
                if (!isDone) lost(failure)
            }
        }
    }

    // Asked no more after a no: another listener may have begun since.
    private fun goesOn(): Boolean {
        isDone = isDone || !isNeeded()
        return !isDone
    }

    private fun listen(connection: Connection, driver: PGConnection) {
        found()
        subscriptions.forgetGreetings()
        val echoes = Echoes()
        var checked = System.nanoTime()
        while (goesOn()) {
            subscriptions.greet()
            val messages = driver.getNotifications(echoes.millisUntilNext(TURN_MILLIS)).orEmpty()
            val heard = messages.mapNotNull { signalOf(it.parameter) }.distinct()
            heard.forEach(echoes::heard)
            (heard + echoes.take()).forEach(subscriptions::tell)
            if (System.nanoTime() - checked > CHECK_NANOS) {
                // A peer that vanished without a word would otherwise be listened to for ever.
                if (!connection.isValid(CHECK_PATIENCE_SECONDS)) throw SQLTransientConnectionException("The server is silent.")
                checked = System.nanoTime()
            }
        }
    }

    private fun found() {
        log.atLevel(if (isLost) Level.INFO else Level.DEBUG).log("Listening on {}.", listening.channel.name)
        isLost = false
        backOff = FIRST_BACK_OFF
    }

    private fun lost(failure: Exception) {
        if (!isLost) {
            log.warn("Not listening on {}, so changes are noticed by looking only: {}", listening.channel.name, failure.message)
        }
        isLost = true
        Thread.sleep(backOff)
        val longest = if (failure is CannotListenException) LONGEST_WHEN_HOPELESS else LONGEST_BACK_OFF
        backOff = (backOff * 2).coerceAtMost(longest)
    }

    private companion object {
        const val TURN_MILLIS = 500
        const val CHECK_NANOS = 30_000_000_000L
        const val CHECK_PATIENCE_SECONDS = 5
        const val FIRST_BACK_OFF = 100L
        const val LONGEST_BACK_OFF = 10_000L
        const val LONGEST_WHEN_HOPELESS = 60_000L
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
