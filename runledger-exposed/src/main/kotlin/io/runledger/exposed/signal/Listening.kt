package io.runledger.exposed.signal

import com.zaxxer.hikari.HikariDataSource
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
 * Where the listening connection comes from. When [isShared] the rest of the client lives on the same data source, and its last
 * connection is not taken: a pool of one would otherwise stand still for as long as somebody listens.
 */
internal class Listening(private val dataSource: DataSource, private val isShared: Boolean) {
    /** Runs [work] on a connection that can listen; it goes back as it came. */
    fun connected(work: (Tuner, PGConnection) -> Unit) {
        if (isShared && isPoolOfOne()) throw noSpareConnection()
        dataSource.connection.use { connection ->
            val driver = connection.unwrap(PGConnection::class.java)
            if (isShared) requireSpare(driver)
            val given = connection.autoCommit
            if (!given) connection.autoCommit = true
            // A pooler makes up the process id that it shows to the driver.
            val isPooled = connection.backendPid() != driver.backendPID
            val tuner = Tuner(connection)
            try {
                if (isPooled) requireOwnSession(tuner, driver)
                work(tuner, driver)
            } catch (failure: Throwable) {
                stop(tuner, failure)
                throw failure
            }
            tuner.tune(emptySet())
            if (!given) connection.autoCommit = false
        }
    }

    // Also on a dead connection: a pool hands it out again unless it sees a statement fail on it. A closed pool has ended the
    // connection itself, and would log that statement as a broken connection at the end of its process.
    private fun stop(tuner: Tuner, failure: Throwable) {
        if (isPoolClosed()) return
        try {
            tuner.tune(emptySet())
        } catch (second: SQLException) {
            failure.addSuppressed(second)
        }
    }

    private fun isPoolClosed(): Boolean = (dataSource as? HikariDataSource)?.isClosed == true

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
        if (!isSpare) throw noSpareConnection()
    }

    // Behind a pooler that shares sessions between transactions a word sent by somebody else never arrives here; behind one that
    // does not, it does.
    private fun requireOwnSession(tuner: Tuner, driver: PGConnection) {
        val word = "p:${UUID.randomUUID()}"
        val channel = Channel.ofProbe()
        tuner.tune(setOf(channel))
        dataSource.connection.use { other ->
            other.prepareStatement("SELECT pg_notify(?, ?)").use { statement ->
                statement.setString(1, channel.name)
                statement.setString(2, word)
                statement.execute()
            }
            if (!other.autoCommit) other.commit()
        }
        val end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)
        do {
            val left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()).toInt().coerceAtLeast(1)
            if (driver.getNotifications(left).orEmpty().any { it.parameter == word }) return
        } while (System.nanoTime() < end)
        throw CannotListenException(
            "The connections go through a pooler that shares sessions between transactions: give the client a data source that " +
                "leads to the server itself with listenWith(...), or switch its notifications off.",
        )
    }

    private fun Connection.backendPid(): Int = createStatement().use { statement ->
        statement.executeQuery("SELECT pg_backend_pid()").use { rows -> rows.next().let { rows.getInt(1) } }
    }

    private companion object {
        const val PATIENCE_MILLIS = 2_000L
    }
}

/** Trying again soon would not help: somebody has to change the configuration. */
internal class CannotListenException(message: String) : SQLException(message)

private fun noSpareConnection() = CannotListenException(
    "The data source has no connection to spare for listening: enlarge the pool, give the client another data source with " +
        "listenWith(...), or switch its notifications off.",
)
