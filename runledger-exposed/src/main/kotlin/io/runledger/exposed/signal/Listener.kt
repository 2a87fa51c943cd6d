package io.runledger.exposed.signal

import org.postgresql.PGConnection
import org.slf4j.LoggerFactory
import org.slf4j.event.Level
import java.sql.SQLTransientConnectionException
import kotlin.concurrent.thread

/** The thread that listens to the channels of [rooms] while it [isNeeded], over as many connections as it takes. */
internal class Listener(
    private val listening: Listening,
    private val rooms: () -> Map<Channel, Subscriptions>,
    private val isNeeded: () -> Boolean,
) {
    /** Whose words are heard now. */
    @Volatile
    private var heard: Set<Channel> = emptySet()

    private var isDone = false
    private var isLost = false
    private var backOff = FIRST_BACK_OFF

    fun isHearing(channel: Channel): Boolean = channel in heard

    fun start() {
        thread(isDaemon = true, name = "runledger-signals", block = ::run)
    }

    @Suppress("TooGenericExceptionCaught")
    private fun run() {
        while (goesOn()) {
            try {
                listening.connected { tuner, driver ->
                    try {
                        listen(tuner, driver)
                    } finally {
                        heard = emptySet()
                    }
                }
            } catch (failure: Throwable) {
                // Not only SQLException: a pool that was closed, or a driver cut off in the middle, may throw anything, and an
                // error must not end the thread either: nobody would begin another.
                if (goesOn()) lost(failure)
            }
        }
    }

    // Asked no more after a no: another listener may have begun since.
    private fun goesOn(): Boolean {
        isDone = isDone || !isNeeded()
        return !isDone
    }

    private fun listen(tuner: Tuner, driver: PGConnection) {
        rooms().values.forEach { it.forgetGreetings() }
        val echoes = HashMap<Channel, Echoes>()
        var checked = System.nanoTime()
        while (goesOn()) {
            val rooms = rooms()
            tune(tuner, rooms.keys)
            echoes.keys.retainAll(rooms.keys)
            rooms.values.forEach { it.greet() }
            val turn = rooms.keys.minOfOrNull { echoes.getOrPut(it) { Echoes() }.millisUntilNext(TURN_MILLIS) } ?: TURN_MILLIS
            val messages = driver.getNotifications(turn).orEmpty().groupBy({ it.name }, { it.parameter })
            rooms.forEach { (channel, room) ->
                val said = messages[channel.name].orEmpty().mapNotNull(::signalOf).distinct()
                val again = echoes.getValue(channel).also { said.forEach(it::heard) }.take()
                (said + again).forEach(room::tell)
            }
            if (System.nanoTime() - checked > CHECK_NANOS) {
                // A peer that vanished without a word would otherwise be listened to for ever.
                if (!tuner.isAlive(CHECK_PATIENCE_SECONDS)) throw SQLTransientConnectionException("The server is silent.")
                checked = System.nanoTime()
            }
        }
    }

    private fun tune(tuner: Tuner, wanted: Set<Channel>) {
        if (heard == wanted) return
        tuner.tune(wanted)
        heard = wanted
        found()
    }

    private fun found() {
        log.atLevel(if (isLost) Level.INFO else Level.DEBUG).log("Listening on {}.", names())
        isLost = false
        backOff = FIRST_BACK_OFF
    }

    private fun lost(failure: Throwable) {
        // Nobody misses what nobody waits for.
        if (!isLost && rooms().isNotEmpty()) {
            log.warn("Not listening on {}, so changes are noticed by looking only: {}", names(), failure.toString())
        }
        isLost = true
        Thread.sleep(backOff)
        val longest = if (failure is CannotListenException) LONGEST_WHEN_HOPELESS else LONGEST_BACK_OFF
        backOff = (backOff * 2).coerceAtMost(longest)
    }

    private fun names() = rooms().keys.joinToString(limit = SHOWN) { it.name }

    private companion object {
        const val SHOWN = 5
        const val TURN_MILLIS = 500
        const val CHECK_NANOS = 30_000_000_000L
        const val CHECK_PATIENCE_SECONDS = 5
        const val FIRST_BACK_OFF = 100L
        const val LONGEST_BACK_OFF = 10_000L
        const val LONGEST_WHEN_HOPELESS = 60_000L
        val log = LoggerFactory.getLogger(Signals::class.java)
    }
}
