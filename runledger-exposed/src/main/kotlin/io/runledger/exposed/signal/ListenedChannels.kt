package io.runledger.exposed.signal

import io.runledger.exposed.schema.Channel
import java.sql.Connection

/** The channels that [connection] listens on. */
internal class ListenedChannels(private val connection: Connection) {
    var channels: Set<Channel> = emptySet()
        private set

    /** Listens on the channels in [wanted]. Stops listening on every other channel. */
    fun listenTo(wanted: Set<Channel>) {
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
