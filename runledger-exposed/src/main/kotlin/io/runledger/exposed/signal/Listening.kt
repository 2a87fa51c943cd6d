package io.runledger.exposed.signal

import com.zaxxer.hikari.HikariDataSource
import org.postgresql.PGConnection
import java.sql.Connection
import java.sql.SQLException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import javax.sql.DataSource
import kotlin.concurrent.thread

/**
 * Where the listening connection comes from. When [isShared] the rest of the client lives on the same data source, and its last
 * connection is not taken: a pool of one would otherwise stand still for as long as somebody listens.
 */
internal class Listening(private val dataSource: DataSource, private val isShared: Boolean, val channel: Channel) {
    /** Runs [work] on a connection that listens; it goes back as it came. */
    fun connected(work: (Connection, PGConnection) -> Unit) {
        if (isShared && isPoolOfOne()) throw NoSpareConnectionException()
        dataSource.connection.use { connection ->
            val driver = connection.unwrap(PGConnection::class.java)
            if (isShared) requireSpare(driver)
            val given = connection.autoCommit
            if (!given) connection.autoCommit = true
            connection.execute("LISTEN ${channel.quoted}")
            try {
                work(connection, driver)
            } catch (failure: Throwable) {
                stop(connection, failure)
                throw failure
            }
            connection.execute("UNLISTEN ${channel.quoted}")
            if (!given) connection.autoCommit = false
        }
    }

    // Also on a dead connection: a pool hands it out again unless it sees a statement fail on it.
    private fun stop(connection: Connection, failure: Throwable) = try {
        connection.execute("UNLISTEN ${channel.quoted}")
    } catch (second: SQLException) {
        failure.addSuppressed(second)
    }

    private fun isPoolOfOne(): Boolean = (dataSource as? HikariDataSource)?.maximumPoolSize == 1

    // On another thread, because a pool may keep the asker waiting for longer than the service can do without its connection.
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
        if (!isSpare) throw NoSpareConnectionException()
    }

    private fun Connection.execute(sql: String) {
        createStatement().use { it.execute(sql) }
    }

    private companion object {
        const val PATIENCE_MILLIS = 2_000L
    }
}

internal class NoSpareConnectionException :
    SQLException(
        "The data source has no connection to spare for listening: enlarge the pool, give the client another data source with " +
            "listenWith(...), or switch its notifications off.",
    )
