package io.runledger.coroutines.crash.chaos

import java.sql.Connection
import java.sql.SQLException
import java.util.concurrent.ConcurrentLinkedQueue
import javax.sql.DataSource
import kotlin.concurrent.thread

/** Code of the same service that takes connections out of the pool it shares with the worker, as soon as they are free. */
internal class Greedy(private val pool: DataSource) {
    private val taken = ConcurrentLinkedQueue<Connection>()

    @Volatile
    private var wanted = 0

    fun exhaust(connections: Int) {
        wanted = connections
        repeat(connections) { thread(isDaemon = true, name = "greedy") { takeOne() } }
    }

    fun giveBack() {
        wanted = 0
        while (true) taken.poll()?.close() ?: return
    }

    private fun takeOne() {
        while (taken.size < wanted) {
            try {
                taken += pool.connection
                if (wanted == 0) giveBack()
                return
            } catch (_: SQLException) {
                // The worker took the connection first, or the database is unavailable.
            }
        }
    }
}
