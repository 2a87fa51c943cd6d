package io.runledger.exposed.signal

import io.runledger.exposed.schema.Channel
import java.sql.Connection
import java.sql.SQLTransientConnectionException

/** The channels that [connection] listens on. [isSourceClosed] tells whether the service has closed the data source. */
internal class ListenedChannels(private val connection: Connection, private val isSourceClosed: () -> Boolean) {
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

    /** A pool does not close a connection that has replaced one of its own. */
    fun requireOpenSource() {
        if (isSourceClosed()) throw SQLTransientConnectionException("The data source is closed.")
    }

    fun isAlive(patienceSeconds: Int): Boolean = connection.isValid(patienceSeconds)

    private fun execute(sql: String) {
        connection.createStatement().use { it.execute(sql) }
    }
}
