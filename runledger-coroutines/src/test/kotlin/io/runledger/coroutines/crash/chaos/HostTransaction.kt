package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.run.EnqueuedWorkflow
import java.sql.Connection

/**
 * Open transactions of a service that hold rows of the ledger: one has locked a few open jobs, a live run and a schedule, the other
 * has enqueued under keys that exist, or that another caller is about to use.
 */
internal class HostTransaction(private val ledger: TestLedger, private val caller: Caller) : AutoCloseable {
    private val rows = open()
    private val keys = open()
    private val jobs = mutableListOf<EnqueuedJob>()
    private val runs = mutableListOf<EnqueuedWorkflow>()

    fun hold() {
        val joined = ledger.client.within(keys)
        RepeatedKeys.jobs.take(2).forEach { jobs += joined.jobs.enqueue(it) }
        RepeatedKeys.runs.take(1).forEach { runs += joined.workflows.enqueue(it) }
        // After the keys, so that the one transaction does not wait for the other.
        rows.createStatement().use { statement -> HELD.forEach { statement.executeQuery("$it FOR UPDATE SKIP LOCKED") } }
    }

    /** Commits; what was enqueued counts as acknowledged from now on. */
    fun commit() {
        rows.commit()
        keys.commit()
        jobs.forEach(caller::acknowledged)
        runs.forEach(caller::acknowledged)
    }

    /** Rolls back what was not committed. */
    override fun close() {
        rows.close()
        keys.close()
    }

    private fun open(): Connection = ledger.database.connect().apply { autoCommit = false }

    private companion object {
        val HELD = listOf(
            "SELECT FROM runledger.job_queue WHERE status IN ('PENDING', 'LEASED') ORDER BY random() LIMIT 5",
            "SELECT FROM runledger.workflow_runs WHERE finished_at IS NULL ORDER BY random() LIMIT 1",
            "SELECT FROM runledger.job_schedules ORDER BY random() LIMIT 1",
        )
    }
}
