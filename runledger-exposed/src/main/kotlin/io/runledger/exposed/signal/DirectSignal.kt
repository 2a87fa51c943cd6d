package io.runledger.exposed.signal

import org.postgresql.PGConnection
import java.sql.Connection
import java.sql.SQLException

/**
 * Tells the workers of this process of the jobs that a transaction of their client enqueues, after its commit and without the
 * database. The transaction still notifies other processes. The same notification does not wake these workers again.
 *
 * One instance serves one call that enqueues, on one thread.
 */
internal class DirectSignal(private val subscriptions: Subscriptions, private val jobTypes: Set<String>) {
    private var backendPid: Int? = null

    /** Called before the statement that notifies. If the call tries again on another connection, the last connection counts. */
    fun sending(connection: Connection) {
        forget(jobTypes)
        backendPid = pidOf(connection)?.also { pid -> jobTypes.forEach { subscriptions.own.expect(pid, it) } }
    }

    /** The transaction is committed and has enqueued due jobs of [enqueued]. */
    fun committed(enqueued: Set<String>) {
        forget(jobTypes - enqueued)
        enqueued.forEach { subscriptions.sendDirectly(Signal.DueJobs(it)) }
    }

    /** The commit failed or has no answer. If its notification has arrived and was not delivered, it is delivered now. */
    fun failed() = forget(jobTypes).forEach { subscriptions.sendDirectly(Signal.DueJobs(it)) }

    /** Returns the types of [unsent] whose notification has arrived. */
    private fun forget(unsent: Set<String>): List<String> {
        val pid = backendPid ?: return emptyList()
        return unsent.filterNot { subscriptions.own.take(pid, it) }
    }

    /**
     * Null if a wrapper of the service hides the driver. Through a pooler, the driver has another id. In both cases the
     * notification is delivered too.
     */
    private fun pidOf(connection: Connection): Int? = try {
        connection.unwrap(PGConnection::class.java).backendPID
    } catch (_: SQLException) {
        null
    } catch (_: ClassCastException) {
        null
    }
}
