package io.runledger.test

import java.sql.Connection
import java.time.Duration

/** Moves all due times of the ledger closer to now. */
internal class PassingTime(private val ledger: TestLedger) {
    fun advance(time: Duration) {
        require(!time.isNegative) { "time is $time, but must not be negative." }
        ledger.dataSource.connection.use { connection ->
            connection.autoCommit = false
            waitedFor.forEach { (table, column) -> connection.move(table, column, "$column > now()", time) }
            // Limits that count from the first attempt of a run advance as well.
            connection.move("job_queue", "started_at", "status IN ('PENDING', 'LEASED')", time)
            // So does the limit of a debounced job, which counts from its enqueue.
            val keyed = "SELECT job_id FROM ${ledger.client.schema}.job_keys"
            connection.move("job_queue", "created_at", "status = 'PENDING' AND id IN ($keyed)", time)
            connection.commit()
        }
    }

    private fun Connection.move(table: String, column: String, which: String, time: Duration) {
        val sql = "UPDATE ${ledger.client.schema}.$table SET $column = $column - make_interval(secs => ?) WHERE $which"
        prepareStatement(sql).use {
            it.setDouble(1, time.toMillis() / MILLIS_PER_SECOND)
            it.executeUpdate()
        }
    }

    private companion object {
        const val MILLIS_PER_SECOND = 1000.0
        val waitedFor = listOf(
            "job_queue" to "next_run_at",
            "job_queue" to "lease_expires_at",
            "job_keys" to "ends_at",
            "limit_keys" to "spent_until",
            "job_schedules" to "next_fire_at",
            "job_schedules" to "poll_until",
            "workflow_step_rows" to "expires_at",
        )
    }
}
