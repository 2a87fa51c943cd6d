package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase
import org.postgresql.ds.PGSimpleDataSource
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.locks.ReentrantLock
import javax.sql.DataSource
import kotlin.concurrent.thread
import kotlin.concurrent.withLock

/** A proxy in front of [database] that fails on command: without an error, as networks do, or by closing the connections. */
class Line(private val database: PostgresDatabase) : AutoCloseable {
    private val door = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())
    private val calls = ConcurrentHashMap.newKeySet<Call>()
    private val lock = ReentrantLock()
    private val changed = lock.newCondition()
    private var isSilent = false
    private var delayMillis = 0L
    private var isClosed = false

    init {
        thread(isDaemon = true, name = "line") {
            try {
                while (true) calls += Call(door.accept()).apply { begin() }
            } catch (_: IOException) {
                // The line was closed.
            }
        }
    }

    /** The database at the near end of the line. */
    val jdbcUrl: String get() = "jdbc:postgresql://${door.inetAddress.hostAddress}:${door.localPort}/${database.name}"

    /** Connections over the line, without a pool. */
    fun dataSource(settings: PGSimpleDataSource.() -> Unit = {}): DataSource = PGSimpleDataSource().also {
        it.setURL(jdbcUrl)
        it.user = database.user
        it.password = database.password
        it.settings()
    }

    /** From now on all packets are dropped, without an error. */
    fun silence() = change { isSilent = true }

    /** Delayed packets arrive, and everything continues. */
    fun restore() = change { isSilent = false }

    /** From now on all traffic is delayed by this time. */
    fun delay(millis: Long) = change { delayMillis = millis }

    /** New connections work. Connections that are open now receive nothing more, in both directions. */
    fun forget() = change {
        calls.forEach { it.isForgotten = true }
        isSilent = false
    }

    /** The next request on each open connection reaches the server. Its answer is lost, and the connection ends. */
    fun loseAnswers() = calls.forEach { it.isDeaf = true }

    /** Closes the connections that are open now. */
    fun cut() = calls.forEach { it.close() }

    override fun close() {
        change { isClosed = true }
        door.close()
        cut()
    }

    private fun change(how: () -> Unit) = lock.withLock {
        how()
        changed.signalAll()
    }

    private inner class Call(private val client: Socket) {
        private val server = Socket()

        @Volatile
        var isForgotten: Boolean = false

        @Volatile
        var isDeaf: Boolean = false

        fun begin() = pump {
            pass()
            server.connect(InetSocketAddress(database.server.host, database.server.port))
            pump { copy(server, client) }
            copy(client, server)
        }

        fun close() {
            calls -= this
            client.close()
            server.close()
        }

        private fun pump(work: () -> Unit) = thread(isDaemon = true, name = "line") {
            try {
                work()
            } catch (_: IOException) {
                // One side is closed. The other side is closed too.
            }
            pass()
            close()
        }

        private fun copy(from: Socket, to: Socket) {
            to.tcpNoDelay = true
            val bytes = ByteArray(BYTES)
            while (true) {
                val count = from.getInputStream().read(bytes)
                if (count < 0) return
                pass()
                if (isDeaf && from === server) return
                to.getOutputStream().write(bytes, 0, count)
            }
        }

        private fun pass() = lock.withLock {
            if (delayMillis > 0) changed.await(delayMillis, MILLISECONDS)
            while (!isClosed && (isSilent || isForgotten)) changed.await()
        }
    }

    private companion object {
        const val BACKLOG = 200
        const val BYTES = 16_384
    }
}
