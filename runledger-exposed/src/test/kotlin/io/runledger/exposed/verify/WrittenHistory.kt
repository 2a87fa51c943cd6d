package io.runledger.exposed.verify

import io.runledger.exposed.TestLedger
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** A history of jobs with limits and orders that was written by hand. Times are seconds from a moment long ago. */
internal class WrittenHistory(private val ledger: TestLedger) {
    private val start = Instant.parse("2026-01-01T00:00:00Z")

    /** The values of a limit, in force from [at]. The default is so long ago that all claims know them. */
    fun limit(name: String, permits: Int? = null, rate: Rate? = null, at: Double = -3600.0) = ledger.run(
        """
        INSERT INTO runledger.limit_changes (name, changed_at, permits, rate_count, rate_burst, rate_period_us)
        VALUES ('$name', '${time(at)}', $permits, ${rate?.count}, ${rate?.burst}, ${rate?.let { it.seconds * 1_000_000L }})
        """,
    )

    /** A job that waits. The default for [created] is so long ago that all claims see it. */
    fun job(
        vararg limits: String,
        order: String? = null,
        position: Int? = null,
        holds: Boolean = true,
        created: Double = -3600.0,
    ): UUID {
        val id = UUID.randomUUID()
        val keys = limits.joinToString(",").takeIf { it.isNotEmpty() }?.let { "'{$it}'" }
        ledger.run(
            """
            INSERT INTO runledger.job_queue (id, job_type, max_attempts, created_at, flow_group, limit_keys, order_key, holds_order)
            VALUES ('$id', 'mail', 9, '${time(created)}', gen_random_uuid(), $keys, ${order?.let { "'$it'" }}, $holds)
            """,
            "UPDATE runledger.job_queue SET order_position = $position WHERE id = '$id'",
        )
        return id
    }

    /** An attempt that ended, and what it made of its job. */
    fun attempt(job: UUID, from: Double, to: Double, outcome: String = "SUCCEEDED", number: Int = 1, run: Int = 1) {
        val status = mapOf("SUCCEEDED" to "SUCCEEDED", "TERMINAL" to "DEAD_LETTERED", "CANCELED" to "CANCELED")[outcome]
        val end = status?.let { "'${time(to)}'::timestamptz" } ?: "NULL"
        ledger.run(
            """
            INSERT INTO runledger.job_attempts
                (job_id, run_number, attempt, outcome, worker_id, leased_at, started_at, finished_at, lease_seconds)
            VALUES ('$job', $run, $number, '$outcome', 'w1', '${time(from)}', '${time(from)}', '${time(to)}', 60)
            """,
            """
            UPDATE runledger.job_queue SET run_number = $run, attempt = $number, status = '${status ?: "PENDING"}', finished_at = $end
            WHERE id = '$job'
            """,
        )
    }

    /** The lease of an attempt that goes on. */
    fun lease(job: UUID, from: Double) = ledger.run(
        """
        UPDATE runledger.job_queue
        SET status = 'LEASED', attempt = attempt + 1, lease_id = gen_random_uuid(), worker_id = 'w1', leased_at = '${time(from)}',
            lease_seconds = 60, lease_expires_at = 'infinity', claim_origin = 'DIRECT', finished_at = NULL
        WHERE id = '$job'
        """,
    )

    fun cancel(job: UUID, at: Double) = ledger.run(
        "UPDATE runledger.job_queue SET status = 'CANCELED', finished_at = '${time(at)}' WHERE id = '$job'",
        "INSERT INTO runledger.job_journal (job_id, occurred_at, run_number, event_type) " +
            "SELECT id, '${time(at)}', run_number, 'CANCELED' FROM runledger.job_queue WHERE id = '$job'",
    )

    /** The next run of the job, as a requeue, a continuation or an undone cancellation begins it. */
    fun requeue(job: UUID, at: Double, kind: String = "COMPARE_AND_REQUEUE") = ledger.run(
        """
        INSERT INTO runledger.job_journal (job_id, occurred_at, run_number, event_type, payload)
        SELECT id, '${time(at)}', run_number, 'REQUEUED', jsonb_build_object('requeue_kind', '$kind')
        FROM runledger.job_queue WHERE id = '$job'
        """,
        "UPDATE runledger.job_queue SET status = 'PENDING', finished_at = NULL, run_number = run_number + 1, attempt = 0 " +
            "WHERE id = '$job'",
    )

    /** The violations of limits, rates and orders by their jobs. The rest of the history is not complete and is not looked at. */
    fun violations(): Map<UUID, String> = ledger.client.verify().contradictions()
        .filter { it.rule() in setOf("limit.exceeded", "rate.exceeded", "order.violated") }
        .associate { it.subject() to it.rule() }

    private fun time(seconds: Double) = start + Duration.ofMillis((seconds * 1000).toLong())

    class Rate(val count: Int, val seconds: Int, val burst: Int)
}
