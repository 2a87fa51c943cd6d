package io.runledger.exposed.signal

import com.zaxxer.hikari.HikariDataSource
import io.runledger.exposed.schema.Channel
import org.postgresql.PGConnection
import java.sql.Connection
import java.sql.SQLException
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import javax.sql.DataSource
import kotlin.concurrent.thread

/**
 * Provides the connection for the listener. If [isShared], the client uses the same data source. In that case the listener
 * does not take the last connection, because a pool of one connection would block while there is a subscription.
 */
internal class ListenerConnection(private val dataSource: DataSource, private val isShared: Boolean) {
    private val promptConnections = PromptConnections(dataSource)

    /**
     * Runs [work] on a connection that can listen. The connection returns to the pool in its original state, or is closed if it
     * was replaced.
     */
    fun connected(work: (ListenedChannels, PGConnection) -> Unit) {
        if (isShared && isPoolOfOne()) throw noSpareConnection()
        dataSource.connection.use { given ->
            if (isShared) requireSpare(given.unwrap(PGConnection::class.java))
            promptConnections.insteadOf(given) { listen(it, work) }
        }
    }

    private fun listen(connection: Connection, work: (ListenedChannels, PGConnection) -> Unit) {
        val driver = connection.unwrap(PGConnection::class.java)
        val given = connection.autoCommit
        if (!given) connection.autoCommit = true
        // A pooler reports a process id of its own to the driver.
        val isPooled = connection.backendPid() != driver.backendPID
        val channels = ListenedChannels(connection, ::isPoolClosed)
        try {
            if (isPooled) requireOwnSession(channels, driver)
            work(channels, driver)
        } catch (failure: Throwable) {
            stop(channels, failure)
            throw failure
        }
        channels.listenTo(emptySet())
        if (!given) connection.autoCommit = false
    }

    // Runs on a broken connection too: a pool discards the connection only after a statement fails on it. A closed pool has
    // already closed the connection and would log the failed statement as a broken connection.
    private fun stop(channels: ListenedChannels, failure: Throwable) {
        if (isPoolClosed()) return
        try {
            channels.listenTo(emptySet())
        } catch (second: SQLException) {
            failure.addSuppressed(second)
        }
    }

    private fun isPoolClosed(): Boolean = (dataSource as? HikariDataSource)?.isClosed == true

    private fun isPoolOfOne(): Boolean = (dataSource as? HikariDataSource)?.maximumPoolSize == 1

    // On another thread, because a pool may block the caller for longer than the service can wait for its connection.
    @Suppress("TooGenericExceptionCaught")
    private fun requireSpare(held: PGConnection) {
        val answer = CompletableFuture<Boolean>()
        thread(isDaemon = true, name = "runledger-spare") {
            try {
                val isOther = dataSource.connection.use { it.unwrap(PGConnection::class.java).backendPID != held.backendPID }
                answer.complete(isOther)
            } catch (failure: Exception) {
                answer.completeExceptionally(failure)
            }
        }
        val isSpare = try {
            answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            false
        } catch (_: ExecutionException) {
            false
        }
        if (!isSpare) throw noSpareConnection()
    }

    // Sends a notification from another connection. It does not arrive if the pooler shares sessions between transactions.
    private fun requireOwnSession(channels: ListenedChannels, driver: PGConnection) {
        val payload = "p:${UUID.randomUUID()}"
        val channel = Channel.ofProbe()
        channels.listenTo(setOf(channel))
        dataSource.connection.use { other ->
            other.prepareStatement("SELECT pg_notify(?, ?)").use { statement ->
                statement.setString(1, channel.name)
                statement.setString(2, payload)
                statement.execute()
            }
            if (!other.autoCommit) other.commit()
        }
        val end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)
        do {
            val left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()).toInt().coerceAtLeast(1)
            if (driver.getNotifications(left).orEmpty().any { it.parameter == payload }) return
        } while (System.nanoTime() < end)
        throw CannotListenException(
            "The connections go through a pooler that shares sessions between transactions, so the client cannot listen. " +
                "Configure a data source that connects to the server directly with listenWith(...), or turn notifications off.",
        )
    }

    private fun Connection.backendPid(): Int = createStatement().use { statement ->
        statement.executeQuery("SELECT pg_backend_pid()").use { rows -> rows.next().let { rows.getInt(1) } }
    }

    private companion object {
        const val PATIENCE_MILLIS = 2_000L
    }
}

/** The configuration prevents listening. A quick retry does not help. */
internal class CannotListenException(message: String) : SQLException(message)

private fun noSpareConnection() = CannotListenException(
    "The data source has no free connection for the listener. Enlarge the pool, configure another data source with " +
        "listenWith(...), or turn notifications off.",
)
