package io.runledger.coroutines.crash

import io.runledger.postgres.PostgresDatabase
import java.sql.Connection
import java.util.concurrent.Executors

/** Ends the server's side of connections, from a connection of its own. */
class Executioner(database: PostgresDatabase) : AutoCloseable {
    private val own = database.connect()
    private val thread = Executors.newSingleThreadExecutor()

    /** Returns when the server's side of [victim] is gone. */
    fun kill(victim: Connection) = thread.submit(killing(victim)).get()

    /** Returns at once: [victim] ends before, during or after its next statement. */
    fun killSoon(victim: Connection) = thread.execute(killing(victim))

    private fun killing(victim: Connection): Runnable {
        val pid = victim.createStatement().use { statement ->
            statement.executeQuery("SELECT pg_backend_pid()").use { rows -> rows.next().let { rows.getInt(1) } }
        }
        return Runnable { own.createStatement().use { it.execute("SELECT pg_terminate_backend($pid, 10000)") } }
    }

    override fun close() {
        thread.shutdown()
        own.close()
    }
}
