package io.runledger.exposed.signal

import java.sql.Connection

/** What a connection listens to. */
internal class Tuner(private val connection: Connection) {
    var channels: Set<Channel> = emptySet()
        private set

    /** Listens to [wanted] and to nothing else that it was tuned to before. */
    fun tune(wanted: Set<Channel>) {
        (wanted - channels).forEach { channel ->
            execute("LISTEN ${channel.quoted}")
            channels += channel
        }
        (channels - wanted).forEach { channel ->
            execute("UNLISTEN ${channel.quoted}")
            channels -= channel
        }
    }

    fun isAlive(patienceSeconds: Int): Boolean = connection.isValid(patienceSeconds)

    private fun execute(sql: String) {
        connection.createStatement().use { it.execute(sql) }
    }
}
